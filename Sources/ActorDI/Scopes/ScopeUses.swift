/// What remains to be done at the end of an operation, by a caller that can suspend. Returns the failures of disposals.
@usableFromInline
typealias RestOfOperation = @Sendable () async -> [ShutdownError.Failure]

/// The uses of a scope of several tasks, which ``KeyedScopes`` opens: its operations and extensions. The scope's lifecycle holds this
/// object.
protocol ScopeUses: AnyObject, Sendable {
  /// The running operations, for a caller that will wait for them.
  var operations: [ScopeOperation] { get }

  /// The present status of the scope. Read outside of locks, since it reads the user's clock.
  var status: KeyedScopeStatus { get }

  /// Whether the calling task runs one of the operations.
  var isUsedByCaller: Bool { get }

  /// Lets no further operation begin.
  func beginEnding()

  /// Called when the scope's parent drains, so that no further scope opens beside this one: wakes the callers that wait to open one.
  func refuseOpenings()

  /// Adds an operation that no task runs: see ``Container/extendScope()``.
  ///
  /// - Returns: Ends the operation; nil if the scope is ending.
  func extend() -> RestOfOperation?

  /// Notes that an operation begins in a scope below, which keeps this one in use.
  func beginBelow()

  /// Notes that an operation in a scope below has ended, with the extensions of that scope.
  ///
  /// - Returns: The rest, which ends this scope if it ends with the operation; nil if nothing remains.
  func endBelow() -> RestOfOperation?

  /// Called when the scope has ended, for whatever reason.
  func scopeHasEnded()
}
