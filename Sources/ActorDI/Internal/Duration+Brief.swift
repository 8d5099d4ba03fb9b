extension Duration {
  /// For people, with the unit that suits it and one decimal.
  var brief: String {
    let nanoseconds = Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
    let (unit, factor) =
      [("s", 1e9), ("ms", 1e6), ("µs", 1e3)].first { nanoseconds.magnitude >= $0.1 } ?? ("ns", 1)
    return "\((nanoseconds / factor * 10).rounded() / 10) \(unit)"
  }
}
