internal import CActorDI

/// The main actor's executor, for callers that may already run on it.
enum MainExecutor {
  static var isCurrent: Bool { actordi_is_on_main_executor() }

  /// Runs a main-actor function synchronously. The caller must be on the main actor's executor.
  static func assumeIsolated<Result>(_ body: @MainActor () throws -> Result) rethrows -> Result {
    // The standard function requires a Sendable result to guard an isolation boundary; nothing crosses one here.
    try MainActor.assumeIsolated { Transfer(value: try body()) }.value
  }

  /// `@unchecked Sendable` because the value never leaves the executor.
  private struct Transfer<Value>: @unchecked Sendable {
    let value: Value
  }
}
