/// What ``PostInitialization``, ``ResolutionAware`` and ``Disposable`` have in common: their instances have a part of their own in what a
/// container does with them.
///
/// There is nothing to implement, nor a reason to conform to it alone. To find out that a type conforms to a protocol takes the runtime tens
/// of microseconds when it has not been asked before, and most types conform to none of the three: a container asks for this one first.
public protocol LifecycleParticipant: SendableMetatype {}

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
/// ``Registration/init(_:instance:fileID:line:)-(Service.Type,_,_,_)``, is not the container's to dispose of; nor is what a decorator makes:
/// what it decorates is.
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

  /// Runs instead of ``dispose()``, for a service that has to know how its scope has ended: to commit, or to roll back. Calls ``dispose()``
  /// unless it is implemented.
  ///
  /// - Parameter outcome: how what the instance was kept for has ended.
  /// - Throws: what went wrong. The container goes on with the others and reports it in a ``ShutdownError``.
  func dispose(after outcome: ScopeOutcome) async throws
}

extension Disposable {
  /// Calls ``dispose()``.
  public func dispose(after outcome: ScopeOutcome) async throws { try await dispose() }
}

/// A service with more to do, after its initialiser, before anybody may see it.
///
/// ```swift
/// actor Database: PostInitialization {
///   func didInitialize() async throws { try await migrate() }
/// }
/// ```
///
/// It is enough to conform: the container calls ``didInitialize()`` on each instance that it makes, whatever type the
/// service is registered as. (A transient that is registered as a class, only some subclasses of which conform, is looked at when its first
/// instance is made. Let the class conform, or register it as a protocol.) An instance that is registered as such, by
/// ``Registration/init(_:instance:fileID:line:)-(Service.Type,_,_,_)``, is not made by the container; nor is what a decorator makes: what it
/// decorates is initialised before.
///
/// In a class that is isolated to a global actor, repeat the actor's attribute at the function: `@MainActor func
/// didInitialize()`. By itself it takes its isolation, which is none, from the protocol.
///
/// Since the function may suspend, such a service is built by asynchronous callers only: a synchronous resolve throws
/// ``ResolutionError/Code/asyncRequired`` as long as the instance is not there. If only the type of the instance says so,
/// not the type that the service is registered as, that shows after the factory has run. Of a kept service the instance is then kept aside,
/// for the next asynchronous caller; of a transient one it is dropped.
public protocol PostInitialization: LifecycleParticipant {
  // `SendableMetatype`: a conformance that is isolated to an actor could not be seen from anywhere else.

  /// Runs once, right after the factory, before the registration's hooks; whoever resolves the service waits for it.
  ///
  /// What it resolves belongs to the chain of the service. It is cancelled as an asynchronous factory would be.
  ///
  /// - Throws: to fail the resolve. The instance is dropped; the next resolve makes another one.
  func didInitialize() async throws
}
