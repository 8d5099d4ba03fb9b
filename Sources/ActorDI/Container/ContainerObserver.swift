/// An observer of a container's registrations, instances and scopes.
///
/// ``Container/Configuration/observer`` or ``Container/Configuration/observers`` gives observers to a container, which
/// has them from its first registration on. To follow an existing container, iterate over ``Container/changes`` or
/// ``Container/events(bufferingNewest:)``. Observers suit logging, metrics and tracing.
///
/// ```swift
/// struct EventLog: ContainerObserver {
///   func container(_ container: Container, didRegister registration: RegistrationInfo) {
///     print("\(container): \(registration)")
///   }
///
///   func container(_ container: Container, didEmit event: ContainerEvent) {
///     print(event)   // [app] created Store, singleton, in 1.2 ms: Server -> Store
///   }
/// }
///
/// let container = Container(configuration: .init(observer: EventLog())) { … }
/// ```
///
/// Each function has a default implementation that does nothing.
///
/// The container notifies observers of its own registrations, once each, in the order in which the changes were
/// published. Initial registrations come first. If a registration replaces another one, the old one is unregistered
/// before the new one is registered. An alias made by ``Registration/implements(_:_:)-(Other.Type,_)`` counts as a
/// registration of its own.
///
/// All other events come when they happen, from the container and all containers below it. A child has its parent's
/// observers unless it is given a configuration of its own. An observer receives each event once, even if several of
/// these containers have it.
///
/// - Concurrency: Called with no lock held, so an observer may resolve. The thread that changes the registry notifies
///   observers of registrations, after readers can see the change. A container makes these calls one at a time; if two
///   threads change it at once, one of them delivers for both. The thread on which an event happens notifies them of
///   it; several threads may do so at once. The operation continues when the observer has returned.
public protocol ContainerObserver: Sendable {
  /// Notifies the observer of an added registration.
  ///
  /// - Parameters:
  ///   - container: The container that has the registration.
  ///   - registration: A description of the registration.
  func container(_ container: Container, didRegister registration: RegistrationInfo)

  /// Notifies the observer of a registration that was removed or replaced.
  ///
  /// - Parameters:
  ///   - container: The container that had the registration.
  ///   - registration: A description of the registration.
  func container(_ container: Container, didUnregister registration: RegistrationInfo)

  /// Notifies the observer of an event about an instance or a scope.
  ///
  /// Callers that resolve a created instance wait until the function returns. The observer itself may resolve the
  /// instance. If it resolves a service that is still being built and led to the event, that is a cycle.
  ///
  /// - Parameters:
  ///   - container: The container of the event: the observed one, or one below it.
  ///   - event: The event.
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

/// An observer in the form in which copies of a configuration share it.
final class ObserverReference: Sendable {
  let observer: any ContainerObserver

  init(_ observer: any ContainerObserver) { self.observer = observer }

  /// Whether both refer to the same observer: they come from the same configuration, or their observer is the same
  /// object.
  func isSame(as other: ObserverReference) -> Bool {
    // Boxing a value twice yields two objects.
    self === other || observer as AnyObject === other.observer as AnyObject
  }
}
