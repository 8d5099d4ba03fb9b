/// A scope whose instances live until it is invalidated; then a new validity period begins.
///
/// ```swift
/// let session = ManagedScope("session")
///
/// let container = Container {
///   Registration(autowired: Basket.self, scope: .managed(by: session)) { Basket() }
///   Registration(Profile.self, scope: .managed(by: session)) { r in
///     try await Profile(of: r.resolve((any Account).self))
///   }
/// }
///
/// await session.invalidate()   // the user has logged out: the next resolve builds a new instance
/// ```
///
/// Within a period, an instance is kept as a ``Scope/singleton`` is, and found as fast. One managed scope may serve any number of
/// registrations and containers, and keeps none of them alive.
///
/// An invalidation drops only instances of this scope. A singleton that was built from such an instance still holds it: give it the
/// same scope, or let it take a ``Provider``.
public final class ManagedScope: Sendable, Hashable {
  /// The scope's name, for messages. Two scopes with the same name are different scopes.
  public let name: String

  let periods = ValidityPeriods()

  /// The task that iterates the sequence. It holds the periods rather than the scope, so that the scope's `deinit` can cancel it.
  private let follower: Task<Void, Never>?

  /// Creates a scope that only ``invalidate()`` invalidates.
  ///
  /// - Parameter name: The scope's name, for messages.
  public init(_ name: String = "managed") {
    self.name = name
    follower = nil
  }

  /// Creates a scope that each element of a sequence invalidates.
  ///
  /// ```swift
  /// let session = ManagedScope("session", invalidatedBy: account.changes)
  /// ```
  ///
  /// A task iterates the sequence. It ends when the sequence ends, even by an error, or when the scope is released. The task does
  /// not keep the scope alive. ``invalidate()`` works as well.
  ///
  /// - Parameters:
  ///   - name: The scope's name, for messages.
  ///   - events: The sequence. The values of its elements do not matter.
  /// - Concurrency: Instances are dropped some time after the element was sent. Call ``invalidate()`` to wait for it.
  public init(_ name: String = "managed", invalidatedBy events: some AsyncSequence & Sendable) {
    self.name = name
    follower = Task.detached { [periods] in
      do {
        for try await _ in events {
          if Task.isCancelled { return }
          await periods.end()
        }
      } catch {
        // A failed sequence has ended.
      }
    }
  }

  deinit { follower?.cancel() }

  /// Ends the period: drops the scope's kept instances in all containers, and waits for their disposals.
  ///
  /// Builds in flight continue for their waiters; their instances are not kept.
  ///
  /// - Concurrency: May be called from any task. After it returns, no resolve gets an instance of the period, or an instance of
  ///   this scope that was built from one.
  public func invalidate() async { await periods.end() }

  /// Returns whether both are the same scope.
  public static func == (left: ManagedScope, right: ManagedScope) -> Bool { left === right }

  /// Hashes the scope's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
