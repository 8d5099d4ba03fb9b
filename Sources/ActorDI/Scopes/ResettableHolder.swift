/// A holder of the instances that one registration has in one container.
protocol ResettableHolder: AnyObject, Sendable {
  /// Forgets the instances.
  ///
  /// - Returns: The instances that were kept, for the caller to release.
  func forget() -> [DroppedReference]
}
