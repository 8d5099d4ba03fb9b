extension Duration {
  /// The duration, but at most 136 years. The sum of the current time and a longer one would overflow, which is a trap.
  var clamped: Duration { min(self, .seconds(1 << 32)) }
}
