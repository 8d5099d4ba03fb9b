import ActorDI
import Hummingbird
import Logging
import Synchronization

/// A scope that begins in a middleware, and may end after it. A task runs its operation, which waits for the end.
final class RequestScope: Sendable {
  private enum State: Sendable {
    case running
    case waiting(CheckedContinuation<Void, any Error>)
    case ended(Result<Void, any Error>)
  }

  private let state = Mutex(State.running)
  private let task = Mutex<Task<Void, any Error>?>(nil)

  /// Opens the scope in a task, which inherits the task-local values of the request.
  ///
  /// - Returns: The scope.
  /// - Throws: `ResolutionError` with the code `closed`.
  func open(
    in container: Container, _ name: String, _ registrations: @escaping @Sendable () -> Registrations
  ) async throws -> Container {
    try await withCheckedThrowingContinuation { continuation in
      let opening = Mutex<CheckedContinuation<Container, any Error>?>(continuation)
      let taken: @Sendable () -> CheckedContinuation<Container, any Error>? = {
        opening.withLock { opening in
          defer { opening = nil }
          return opening
        }
      }
      let task = Task {
        do {
          try await container.withScope(name, registrations) { scope in
            taken()?.resume(returning: scope)
            try await self.waitForEnd()
          }
        } catch {
          taken()?.resume(throwing: error)
          throw error
        }
      }
      self.task.withLock { $0 = task }
    }
  }

  /// Ends the scope after its request was handled, and waits until its instances are disposed of.
  ///
  /// - Throws: A `ShutdownError` of the disposers.
  func end() async throws {
    finish(.success(()))
    try await task.withLock { $0 }?.value
  }

  /// Ends the scope after an error, and waits until its instances are disposed of.
  func end(after error: any Error) async {
    if error is CancellationError { cancel() } else { finish(.failure(error)) }
    _ = await task.withLock { $0 }?.result
  }

  /// Ends the scope as cancelled.
  func cancel() { task.withLock { $0 }?.cancel() }

  /// The first result counts.
  private func finish(_ result: Result<Void, any Error>) {
    let waiting = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      if case .ended = state { return nil }
      defer { state = .ended(result) }
      if case .waiting(let continuation) = state { return continuation }
      return nil
    }
    waiting?.resume(with: result)
  }

  private func waitForEnd() async throws {
    // The container cancels the task when the time of a shutdown is up.
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let ended = state.withLock { state -> Result<Void, any Error>? in
          if case .ended(let result) = state { return result }
          state = .waiting(continuation)
          return nil
        }
        if let ended { continuation.resume(with: ended) }
      }
    } onCancel: {
      finish(.failure(CancellationError()))
    }
  }
}

/// Keeps a scope open for the body of a response, until the body has been written or is dropped.
final class ScopeLease: Sendable {
  private let scope: RequestScope
  private let logger: Logger

  init(_ scope: RequestScope, _ logger: Logger) {
    self.scope = scope
    self.logger = logger
  }

  deinit { scope.cancel() }

  /// Writes the body, and ends the scope.
  func whileOpen(_ write: () async throws -> Void) async throws {
    do {
      try await write()
    } catch {
      await scope.end(after: error)
      throw error
    }
    do {
      try await scope.end()
    } catch {
      // The response has been sent.
      logger.error("\(error)")
    }
  }
}
