/// Formats numbers for people, without Foundation.
enum Format {
  /// The number with the given number of decimals, rounded half away from zero.
  static func fixed(_ number: Double, digits: Int) -> String {
    guard number.isFinite else { return number.isNaN ? "nan" : number < 0 ? "-inf" : "inf" }
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = (abs(number) * scale).rounded(.toNearestOrAwayFromZero)
    guard scaled < 9e15 else { return "\(number)" }
    let whole = Int(scaled)
    let sign = number < 0 && whole != 0 ? "-" : ""
    guard digits > 0 else { return sign + String(whole) }
    let padded = String(repeating: "0", count: max(0, digits + 1 - String(whole).count))
    let all = padded + String(whole)
    return sign + all.dropLast(digits) + "." + all.suffix(digits)
  }

  /// The number with about three significant digits, and with grouped thousands from 1,000 on.
  static func measured(_ number: Double) -> String {
    switch abs(number) {
    // A number that would round up to an additional digit belongs to the next case.
    case ..<9.995: fixed(number, digits: 2)
    case ..<99.95: fixed(number, digits: 1)
    case ..<999.5: fixed(number, digits: 0)
    default: grouped(fixed(number, digits: 0))
    }
  }

  /// A figure that is compared with a bound: with two decimals, or as a measured value if it is large.
  static func figure(_ number: Double) -> String {
    abs(number) < 100 ? fixed(number, digits: 2) : measured(number)
  }

  /// The number without trailing zeros, such as `1.15`, `2` and `0.6`.
  static func short(_ number: Double) -> String {
    var text = fixed(number, digits: 3)
    guard text.contains(".") else { return text }
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  /// A count with its noun, such as `1 thread` and `2 threads`.
  static func count(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(grouped(String(number))) \(noun)s"
  }

  /// Seconds as minutes and seconds, such as `1:05`.
  static func duration(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded())
    return "\(whole / 60):\(whole % 60 < 10 ? "0" : "")\(whole % 60)"
  }

  static func grouped(_ digits: String) -> String {
    var groups: [Substring] = []
    let sign = digits.hasPrefix("-") ? "-" : ""
    var rest = digits.dropFirst(sign.count)
    while rest.count > 3 {
      groups.insert(rest.suffix(3), at: 0)
      rest = rest.dropLast(3)
    }
    groups.insert(rest, at: 0)
    return sign + groups.joined(separator: ",")
  }
}
