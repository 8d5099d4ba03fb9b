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
/// instance is made. Let the class conform, or register it as a protocol.) An instance that is registered as such, by ``Registration/init(instance:fileID:line:)``, is
/// not made by the container; nor is what a decorator makes: what it decorates is initialised before.
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
