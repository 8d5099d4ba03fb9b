import Synchronization

/// The usual hand-written solution for many services: a dictionary keyed by type and key, behind a `Mutex`, with the factories and the
/// built instances. See ``LockedDictionary`` for the values.
final class LockedRegistry: Sendable {
  private struct Place: Hashable {
    let type: ObjectIdentifier
    let key: Int?
  }

  private struct Entry {
    let factory: @Sendable () -> any Sendable
    var instance: (any Sendable)?
  }

  private let entries = Mutex<[Place: Entry]>([:])

  var count: Int { entries.withLock { $0.count } }

  func register<Service: Sendable>(
    _ type: Service.Type, key: Int? = nil, factory: @escaping @Sendable () -> Service
  ) {
    let place = Place(type: ObjectIdentifier(type), key: key)
    entries.withLock { $0[place] = Entry(factory: factory) }
  }

  /// Returns the kept instance, built under the lock on the first request.
  func resolve<Service>(_ type: Service.Type = Service.self, key: Int? = nil) -> Service {
    let place = Place(type: ObjectIdentifier(type), key: key)
    let instance = entries.withLock { entries -> (any Sendable)? in
      guard let entry = entries[place] else { return nil }
      if let instance = entry.instance { return instance }
      let built = entry.factory()
      entries[place]?.instance = built
      return built
    }
    guard let service = instance as? Service else { missing(type) }
    return service
  }
}
