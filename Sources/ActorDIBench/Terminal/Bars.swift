/// Text bars with a resolution of an eighth of a column.
enum Bars {
  /// Draws a bar.
  ///
  /// - Parameters:
  ///   - share: The share of the width. Values below 0 and above 1 are clamped.
  static func bar(_ share: Double, width: Int) -> String {
    guard share.isFinite, share > 0, width > 0 else { return "" }
    // Any positive share is visible.
    let eighths = max(1, Int((min(share, 1) * Double(width * 8)).rounded()))
    let partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
    return String(repeating: "█", count: eighths / 8) + partial
  }
}
