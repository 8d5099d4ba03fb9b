import Synchronization

/// The usual hand-written solution: a dictionary keyed by type, behind a `Mutex`, with values cast on return.
///
/// The values are `any Sendable` where the usual code has `Any`, which the `Mutex` could not return. The layout and the cast are the
/// same.
final class LockedDictionary: Sendable {
  typealias Factory = @Sendable (LockedDictionary) -> any Sendable

  private struct Name: Hashable {
    let type: ObjectIdentifier
    let key: String
  }

  private struct Contents {
    var instances: [ObjectIdentifier: any Sendable] = [:]
    var named: [Name: any Sendable] = [:]
    var factories: [ObjectIdentifier: Factory] = [:]
  }

  private let contents = Mutex(Contents())

  func register<Service: Sendable>(_ type: Service.Type, instance: Service) {
    contents.withLock { $0.instances[ObjectIdentifier(type)] = instance }
  }

  func register<Service: Sendable>(_ type: Service.Type, key: String, instance: Service) {
    contents.withLock { $0.named[Name(type: ObjectIdentifier(type), key: key)] = instance }
  }

  func register<Service: Sendable>(_ type: Service.Type, factory: @escaping Factory) {
    contents.withLock { $0.factories[ObjectIdentifier(type)] = factory }
  }

  /// Returns the kept instance.
  func resolve<Service>(_ type: Service.Type = Service.self) -> Service {
    let instance = contents.withLock { $0.instances[ObjectIdentifier(type)] }
    guard let service = instance as? Service else { missing(type) }
    return service
  }

  /// Returns the kept instance with a name.
  func resolve<Service>(_ type: Service.Type = Service.self, key: String) -> Service {
    let name = Name(type: ObjectIdentifier(type), key: key)
    let instance = contents.withLock { $0.named[name] }
    guard let service = instance as? Service else { missing(type) }
    return service
  }

  /// Makes a new object. The factory runs after the lock is released, because it may request other services.
  func make<Service>(_ type: Service.Type = Service.self) -> Service {
    let factory = contents.withLock { $0.factories[ObjectIdentifier(type)] }
    guard let service = factory?(self) as? Service else { missing(type) }
    return service
  }
}
