/// The outcome of the scope, or other period, that an instance was kept for.
///
/// A disposer can use it, for example to commit a transaction or to roll it back.
///
/// ```swift
/// Registration(Transaction.self, scope: .scoped("request")) { r in
///   try await Transaction(on: r.resolve())
/// }
/// .onDispose { transaction, outcome in
///   switch outcome {
///   case .completed: try await transaction.commit()
///   default: try await transaction.rollBack()
///   }
/// }
/// ```
///
/// | cause of the disposal | outcome |
/// | --- | --- |
/// | The operation of ``Container/withScope(_:_:operation:)`` or `withOverrides` returned. | ``completed`` |
/// | The operation threw `CancellationError` in a cancelled task. | ``cancelled`` |
/// | An ``Owned`` or a ``ScopeExtension`` was released without its end. | ``cancelled`` |
/// | The operation threw any other error. | ``failed(_:)`` |
/// | The container or one above it was shut down, possibly while an operation was running in it. | ``shutDown`` |
/// | ``KeyedScopes/end(_:timeout:)`` ended the scope. | ``shutDown`` |
/// | A call of `reset`, `unregister`, `clear`, `rebuild`, `pop`, or of `dispose()` on an ``Owned``. | ``completed`` |
/// | A ``ManagedScope``'s period or a time to live ended. | ``completed`` |
/// | The last operation of a scope of ``KeyedScopes`` returned or threw, the scope was idle for its time, or another key needed its place. | ``completed`` |
/// | A hook of the instance threw, or another service that ``Container/start()`` builds failed. | ``failed(_:)`` |
/// | A synchronous caller was refused the new instance, because only an asynchronous one can complete it. | ``failed(_:)`` |
public enum ScopeOutcome: Sendable {
  /// The operation or period ended normally.
  case completed

  /// The operation or build ended with an error.
  case failed(any Error)

  /// The operation ended because its task was cancelled.
  case cancelled

  /// The container was closed from outside.
  case shutDown

  /// A text for messages and metrics, without the error: `completed`, `failed`, `cancelled` or `shut down`.
  public var name: String {
    switch self {
    case .completed: "completed"
    case .failed: "failed"
    case .cancelled: "cancelled"
    case .shutDown: "shut down"
    }
  }

  /// The outcome of an operation that threw an error in the calling task.
  @usableFromInline
  static func thrown(_ error: any Error) -> ScopeOutcome {
    error is CancellationError && Task.isCancelled ? .cancelled : .failed(error)
  }
}
