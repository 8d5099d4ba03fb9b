/// The common base of ``PostInitialization``, ``ResolutionAware`` and ``Disposable``.
///
/// Do not conform to this protocol alone; it has no requirements. It exists for speed: the runtime's first check whether
/// a type conforms to a protocol takes tens of microseconds. Most types conform to none of the three, so a container
/// checks for this protocol first.
public protocol LifecycleParticipant: SendableMetatype {}

/// A service that releases resources when its container disposes of it, such as by closing a connection or flushing a buffer.
///
/// ```swift
/// actor Database: Disposable {
///   func dispose() async throws { try await close() }
/// }
/// ```
///
/// Conforming is enough, whatever type the service is registered as. The container calls ``dispose()`` once on each instance
/// that it made, when it drops the instance, after the registration's `onDispose(_:)` closures. See
/// ``Container/shutdown(timeout:)`` for when that happens. For a transient registered as a class, see ``PostInitialization``.
///
/// The container does not dispose of an instance registered with
/// ``Registration/init(_:instance:fileID:line:)-(Service.Type,_,_,_)``. It does not dispose of the result of a decorator
/// either, but of the decorated instance.
///
/// A transient or `.graph` instance that needs disposal is held by the container it was resolved from until that container
/// closes. Resolve such services in a scope: ``Container/withScope(_:_:operation:)``.
///
/// In a class isolated to a global actor, repeat the actor's attribute on the function, as for ``PostInitialization``.
public protocol Disposable: LifecycleParticipant, Sendable {
  /// Releases the instance's resources. The container calls it once, when no caller can get the instance from it any more.
  ///
  /// Cancelling the task that closes the container does not cancel this call. The call is cancelled when the time given to
  /// ``Container/shutdown(timeout:)`` is up.
  ///
  /// - Throws: An error if the disposal fails. The container continues with the other instances and reports the error in a
  ///   ``ShutdownError``.
  func dispose() async throws

  /// Releases the instance's resources, depending on how its scope ended: for example to commit or to roll back.
  ///
  /// The container calls this function instead of ``dispose()``. The default implementation calls ``dispose()``.
  ///
  /// - Parameter outcome: The outcome of the scope, or other period, that the instance was kept for.
  /// - Throws: An error if the disposal fails. The container continues with the other instances and reports the error in a
  ///   ``ShutdownError``.
  func dispose(after outcome: ScopeOutcome) async throws
}

extension Disposable {
  /// Calls ``dispose()``, ignoring the outcome.
  public func dispose(after outcome: ScopeOutcome) async throws { try await dispose() }
}

/// A service that needs further initialisation after its initialiser, before other tasks can see the instance.
///
/// ```swift
/// actor Database: PostInitialization {
///   func didInitialize() async throws { try await migrate() }
/// }
/// ```
///
/// Conforming is enough, whatever type the service is registered as: the container calls ``didInitialize()`` on each instance
/// that it makes. One case is checked once only: for a transient registered as a class, the container looks for conforming
/// subclasses when it makes the first instance. If only some subclasses conform, let the class conform or register the
/// service as a protocol.
///
/// The container does not call the function on an instance registered with
/// ``Registration/init(_:instance:fileID:line:)-(Service.Type,_,_,_)``, since it does not make that instance. It does not
/// call it on the result of a decorator either; the decorated instance is initialised before.
///
/// In a class isolated to a global actor, repeat the actor's attribute on the function: `@MainActor func didInitialize()`.
/// Otherwise the function takes its isolation from the protocol, which is nonisolated.
///
/// Since the function may suspend, only asynchronous callers build such a service. While no instance exists, a synchronous
/// resolve throws ``ResolutionError/Code/asyncRequired``. If only the instance's dynamic type conforms, the conformance is
/// discovered after the factory runs. The instance of a kept service is then set aside for the next asynchronous caller; that
/// of a transient service is disposed of.
public protocol PostInitialization: LifecycleParticipant {
  // `SendableMetatype`: a conformance isolated to an actor would be invisible elsewhere.

  /// Completes the initialisation of the instance. Runs once, after the factory and before the registration's hooks; callers
  /// of the resolve wait for it.
  ///
  /// Services that the function resolves belong to the dependency chain of this service. The call is cancelled as an
  /// asynchronous factory would be.
  ///
  /// - Throws: An error to fail the resolve. The container drops the instance; the next resolve makes another one.
  func didInitialize() async throws
}
