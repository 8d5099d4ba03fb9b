import Synchronization

/// Objects that were seen, and are held so that none takes another's place.
final class Seen: Sendable {
  private let objects = Mutex<[any AnyObject & Sendable]>([])

  /// - Returns: whether it is new.
  func add(_ object: any AnyObject & Sendable) -> Bool {
    objects.withLock { objects in
      guard !objects.contains(where: { $0 === object }) else { return false }
      objects.append(object)
      return true
    }
  }
}
