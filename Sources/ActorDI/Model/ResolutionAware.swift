/// A service that is notified once all services made in the same resolve exist.
///
/// ```swift
/// final class Session: ResolutionAware {
///   func didResolve() async throws { try await connect() }
/// }
/// ```
///
/// Conforming is enough, except for a transient registered as a class: see ``PostInitialization``.
///
/// When the outermost resolve call has all its instances, and before it returns, the container calls ``didResolve()`` on the
/// instances made for that call: once each, the last created first. Existing instances are not notified of later resolves. Nor
/// is an instance registered with ``Registration/init(_:instance:fileID:line:)-(Service.Type,_,_,_)``. If the call fails earlier,
/// no instance is notified.
///
/// Other tasks may see a kept instance before it is notified. Use ``PostInitialization`` for work that must be complete
/// before other tasks see the instance.
///
/// Since the function may suspend, only asynchronous callers build such a service; see ``PostInitialization``. The service
/// must be Sendable because other tasks may hold it by then.
public protocol ResolutionAware: LifecycleParticipant, Sendable {
  /// Runs once, at the end of the resolve call that made the instance.
  ///
  /// - Throws: An error to fail that call. The other instances are still notified, and kept instances stay kept.
  func didResolve() async throws
}
