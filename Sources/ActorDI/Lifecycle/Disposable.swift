/// A service with something to do at its end: closing a connection, writing what is left.
///
/// ```swift
/// actor Database: Disposable {
///   func dispose() async throws { try await close() }
/// }
/// ```
///
/// It is enough to conform: the container calls ``dispose()`` on each instance that it made, once, when it lets go of it, after
/// the registration's `onDispose(_:)` closures, and whatever type the service is registered as. See
/// ``Container/shutdown(timeout:)`` for when that is. An instance that is registered as such, by
/// ``Registration/init(instance:fileID:line:)``, is not the container's to dispose of; nor is what a decorator makes: what it decorates is.
///
/// A transient or `.graph` instance that has something to dispose of is held by the container that it was resolved from until that is
/// closed: resolve such services in a scope, ``Container/withScope(_:_:operation:)``.
///
/// In a class that is isolated to a global actor, repeat the actor's attribute at the function, as for ``PostInitialization``.
public protocol Disposable: LifecycleParticipant, Sendable {
  /// Runs once, when nobody gets the instance from the container any more.
  ///
  /// It is not cancelled with the task that closes the container, but after the time that ``Container/shutdown(timeout:)`` is given.
  ///
  /// - Throws: what went wrong. The container goes on with the others and reports it in a ``ShutdownError``.
  func dispose() async throws
}
