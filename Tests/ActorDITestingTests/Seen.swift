import Synchronization

/// A set of objects. It holds them, so that no two have the same identity.
final class Seen: Sendable {
  private let objects = Mutex<[any AnyObject & Sendable]>([])

  /// Adds an object.
  ///
  /// - Returns: Whether the object is new.
  func add(_ object: any AnyObject & Sendable) -> Bool {
    objects.withLock { objects in
      guard !objects.contains(where: { $0 === object }) else { return false }
      objects.append(object)
      return true
    }
  }
}
