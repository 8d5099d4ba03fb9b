/// A validity period for kept instances: they live until it is invalidated, and then a new period begins.
///
/// ```swift
/// let session = ManagedScope("session")
///
/// let container = Container {
///   Registration(Basket.self, scope: .managed(by: session)) { _ in Basket() }
///   Registration(Profile.self, scope: .managed(by: session)) { r in
///     try await Profile(of: r.resolve((any Account).self))
///   }
/// }
///
/// await session.invalidate()   // the user has logged out: the next resolve builds anew
/// ```
///
/// Within a period an instance is kept as a ``Scope/singleton`` is, and found as fast. One managed scope may serve any number of
/// registrations and containers, and keeps none of them alive.
///
/// Only what is registered in the scope is dropped. A singleton that was built from such an instance holds on to it: give it the
/// same scope, or let it take a ``Provider``.
public final class ManagedScope: Sendable {
  /// The scope's name, for messages. Two scopes of the same name are two scopes all the same.
  public let name: String

  let periods = ValidityPeriods()

  /// Follows a sequence. It holds the periods rather than the scope, which so can end, and end it.
  private let follower: Task<Void, Never>?

  /// A scope that is invalidated by ``invalidate()`` alone.
  ///
  /// - Parameter name: for messages.
  public init(_ name: String = "managed") {
    self.name = name
    follower = nil
  }

  /// A scope that each element of a sequence invalidates, too.
  ///
  /// ```swift
  /// let session = ManagedScope("session", invalidatedBy: account.changes)
  /// ```
  ///
  /// A task iterates the sequence from now on. It ends with the sequence, which may do so by an error, or with the scope, whose
  /// last user it never is.
  ///
  /// - Parameters:
  ///   - name: for messages.
  ///   - events: what it yields does not matter.
  /// - Concurrency: an instance is dropped some time after the element was sent. Code that has to know calls ``invalidate()``.
  public init(_ name: String = "managed", invalidatedBy events: some AsyncSequence & Sendable) {
    self.name = name
    follower = Task.detached { [periods] in
      do {
        for try await _ in events {
          if Task.isCancelled { return }
          await periods.end()
        }
      } catch {
        // A sequence that has failed has ended.
      }
    }
  }

  deinit { follower?.cancel() }

  /// Ends the period: drops all instances that are kept in it, in all containers.
  ///
  /// Builds in flight go on for those who wait for them; what they yield is not kept.
  ///
  /// - Concurrency: from any task. When it has returned, no later resolve gets an instance of the period, nor one of this scope
  ///   that was built from such an instance.
  public func invalidate() async {
    await periods.end()
  }
}

extension ManagedScope: Hashable {
  /// A scope equals itself only.
  public static func == (left: ManagedScope, right: ManagedScope) -> Bool { left === right }

  /// Hashes the scope's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
