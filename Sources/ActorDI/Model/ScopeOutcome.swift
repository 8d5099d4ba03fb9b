/// How what an instance was kept for has ended: what a disposer may go by, such as to commit a transaction or to roll it back.
///
/// ```swift
/// Registration(Transaction.self, scope: .scoped("request")) { r in try await Transaction(on: r.resolve()) }
///   .onDispose { transaction, outcome in
///     switch outcome {
///     case .completed: try await transaction.commit()
///     default: try await transaction.rollBack()
///     }
///   }
/// ```
///
/// | what has ended | outcome |
/// | --- | --- |
/// | the operation of ``Container/withScope(_:_:operation:)`` or `withOverrides` has returned | ``completed`` |
/// | it has thrown `CancellationError`, in a task that was cancelled | ``cancelled`` |
/// | it has thrown anything else | ``failed(_:)`` |
/// | the container was shut down, or a container above it, though an operation may be running in it | ``shutDown`` |
/// | `dispose()` of an ``Owned``, `reset`, `unregister`, `rebuild`, `pop`; a ``ManagedScope``'s period; a time to live | ``completed`` |
/// | a hook that had to complete the instance has thrown, or another service that ``Container/start()`` builds | ``failed(_:)`` |
public enum ScopeOutcome: Sendable {
  /// All went well.
  case completed

  /// It ended by an error.
  case failed(any Error)

  /// It ended since its task was cancelled.
  case cancelled

  /// It was closed from outside.
  case shutDown

  /// For messages, without the error.
  var brief: String {
    switch self {
    case .completed: "completed"
    case .failed: "failed"
    case .cancelled: "cancelled"
    case .shutDown: "shut down"
    }
  }

  /// That of an operation that has thrown, in its task.
  @usableFromInline
  static func thrown(_ error: any Error) -> ScopeOutcome {
    error is CancellationError && Task.isCancelled ? .cancelled : .failed(error)
  }
}
