/// Bars of text, in eighths of a column.
enum Bars {
  /// - Parameters:
  ///   - share: Of the whole width; what is beyond 0 and 1 is cut off.
  static func bar(_ share: Double, width: Int) -> String {
    guard share.isFinite, share > 0, width > 0 else { return "" }
    // What is there at all shows.
    let eighths = max(1, Int((min(share, 1) * Double(width * 8)).rounded()))
    let partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
    return String(repeating: "█", count: eighths / 8) + partial
  }
}
