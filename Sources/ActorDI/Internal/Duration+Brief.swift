extension Duration {
  /// A human-readable text with a fitting unit and one decimal, such as `12.3 ms`.
  var brief: String {
    let nanoseconds = Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
    let (unit, factor) = [("s", 1e9), ("ms", 1e6), ("µs", 1e3)].first { nanoseconds.magnitude >= $0.1 } ?? ("ns", 1)
    return "\((nanoseconds / factor * 10).rounded() / 10) \(unit)"
  }
}
