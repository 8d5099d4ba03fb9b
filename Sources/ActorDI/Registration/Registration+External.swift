extension Registration {
  /// Marks the service as one that touches the world outside the program, such as the network, a disk, the clock or randomness.
  ///
  /// In a strict test, a resolve of such a service fails unless the test overrides it: see
  /// ``Container/withOverrides(strict:_:operation:)-1sxfs``. Elsewhere the mark has no effect.
  ///
  /// - Returns: The changed copy.
  public consuming func external() -> Self { describing { $0.traits.insert(.isExternal) } }
}
