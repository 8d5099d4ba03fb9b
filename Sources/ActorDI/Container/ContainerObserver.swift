/// Is told of what is registered in a container and of what is removed, of what is made, waited for and disposed of, and of scopes.
///
/// Given to a container by ``Container/Configuration/observer`` or, with others, by ``Container/Configuration/observers``, which it then has from
/// the first registration on. To follow a container that exists, iterate over ``Container/changes`` or ``Container/events(bufferingNewest:)``. Logging, metrics and tracing can hang on it.
///
/// ```swift
/// struct Logging: ContainerObserver {
///   func container(_ container: Container, didRegister registration: RegistrationInfo) {
///     print("\(container): \(registration)")
///   }
///
///   func container(_ container: Container, didEmit event: ContainerEvent) {
///     print(event)   // [app] created Store, singleton, in 1.2 ms: Server -> Store
///   }
/// }
///
/// let container = Container(configuration: .init(observer: Logging())) { … }
/// ```
///
/// The functions do nothing unless they are implemented. Those about registrations are called once for each registration of the container
/// itself, in the order in which the changes were published, the initial registrations first; of a registration that replaces another one, the old is
/// unregistered before the new is registered. What ``Registration/implements(_:_:)-(Other.Type,_)`` adds counts as a registration of its own.
///
/// All else is told where and when it happens, of the container and of all containers below it. A child has its parent's observer unless it is
/// given a configuration of its own; of what happens there an observer is told once, however many of the containers above have it.
///
/// - Concurrency: called with no lock held: an observer may resolve. Of a registration it is told by the thread that changes the registry,
///   after readers can see the change: one call at a time for each container; where two threads change it at once, one of them
///   delivers for both. Of all else it is told by the thread on which it happens, by several at once. What it is told of waits for it.
public protocol ContainerObserver: Sendable {
  /// A registration stands.
  ///
  /// - Parameters:
  ///   - container: where it stands.
  ///   - registration: what is known of it.
  func container(_ container: Container, didRegister registration: RegistrationInfo)

  /// A registration is gone, or replaced.
  ///
  /// - Parameters:
  ///   - container: where it stood.
  ///   - registration: what is known of it.
  func container(_ container: Container, didUnregister registration: RegistrationInfo)

  /// Something has happened that is no registration: an instance was created, or this failed, was waited for, was disposed of, or instances
  /// were reset.
  ///
  /// Whoever resolves what was created has to wait until the function has returned. If it resolves that itself, it gets it; a service that
  /// is still being made for it is a cycle.
  ///
  /// - Parameters:
  ///   - container: where it happened: the container itself, or one below it.
  ///   - event: what happened.
  func container(_ container: Container, didEmit event: ContainerEvent)
}

extension ContainerObserver {
  /// Does nothing.
  public func container(_ container: Container, didRegister registration: RegistrationInfo) {}

  /// Does nothing.
  public func container(_ container: Container, didUnregister registration: RegistrationInfo) {}

  /// Does nothing.
  public func container(_ container: Container, didEmit event: ContainerEvent) {}
}

/// An observer as configurations share it: a copy of a configuration has the same one.
final class ObserverReference: Sendable {
  let observer: any ContainerObserver

  init(_ observer: any ContainerObserver) { self.observer = observer }

  /// Whether it is the same observer: from the same configuration, or the same object.
  func isSame(as other: ObserverReference) -> Bool {
    // Two boxes of one value are two objects.
    self === other || observer as AnyObject === other.observer as AnyObject
  }
}
