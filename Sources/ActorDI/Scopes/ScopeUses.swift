/// The operations that run in a scope of several tasks, which ``KeyedScopes`` opens. The scope's lifecycle holds this object.
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
  /// - Returns: Ends the operation, and returns the failures of disposals if the scope ends with it; nil if the scope is ending.
  func extend() -> (@Sendable () async -> [ShutdownError.Failure])?

  /// Called when the scope has ended, for whatever reason.
  func scopeHasEnded()
}
