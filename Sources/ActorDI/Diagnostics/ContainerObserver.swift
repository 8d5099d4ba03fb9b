/// Is told of what is registered in a container, and of what is removed.
///
/// Given to a container by ``Configuration/observer``, which it then has from the first registration on. To follow a container
/// that exists, iterate over ``Container/changes``.
///
/// ```swift
/// struct Logging: ContainerObserver {
///   func container(_ container: Container, didRegister registration: RegistrationInfo) {
///     print("\(container): \(registration)")
///   }
/// }
///
/// let container = Container(configuration: Configuration(observer: Logging())) { … }
/// ```
///
/// Both functions do nothing unless they are implemented. They are called once for each registration, in the order in
/// which the changes were published, the initial registrations first; of a registration that replaces another one, the old is
/// unregistered before the new is registered. What ``Registration/implements(_:_:)-(Other.Type,_)`` adds counts as a registration of its own.
///
/// - Concurrency: called by the thread that changes the registry, after readers can see the change, and with no lock held: an
///   observer may resolve. One call at a time for each container; where two threads change it at once, one of them
///   delivers for both. An observer shared by several containers is called by several threads.
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
}

extension ContainerObserver {
  /// Does nothing.
  public func container(_ container: Container, didRegister registration: RegistrationInfo) {}

  /// Does nothing.
  public func container(_ container: Container, didUnregister registration: RegistrationInfo) {}
}
