import ActorDI
import GRPCCore

/// The scope of an RPC, which begins in an interceptor and ends after it. A task runs its operation, which waits for the end.
final class RPCScope: Sendable {
  private let container: Container
  private let context: ServerContext
  private let ending: AsyncThrowingStream<Void, any Error>.Continuation
  private let task: Task<Void, any Error>

  private init(
    _ container: Container, _ context: ServerContext, _ ending: AsyncThrowingStream<Void, any Error>.Continuation,
    _ task: Task<Void, any Error>
  ) {
    self.container = container
    self.context = context
    self.ending = ending
    self.task = task
  }

  /// The response, which keeps the scope open, has been written or dropped.
  deinit { task.cancel() }

  /// Opens a scope.
  ///
  /// - Throws: An `RPCError` with the code `unavailable` if the container is closed.
  static func open(
    in container: Container, _ name: String, for context: ServerContext,
    _ registrations: @escaping @Sendable () -> Registrations
  ) async throws -> RPCScope {
    let (opened, opening) = AsyncStream<Container>.makeStream()
    let (end, ending) = AsyncThrowingStream<Void, any Error>.makeStream()
    // Inherits the task-local values of the RPC.
    let task = Task {
      defer { opening.finish() }
      try await container.withScope(name, registrations) { scope in
        opening.yield(scope)
        for try await _ in end {}
        guard Task.isCancelled else { return }
        // The time of a shutdown may be up while the RPC is running.
        context.cancellation.cancel()
        throw CancellationError()
      }
    }
    for await scope in opened { return RPCScope(scope, context, ending, task) }
    // There is no scope, or the caller is cancelled and has not received it.
    task.cancel()
    do {
      try await task.value
    } catch let error as ResolutionError where error.code == .closed {
      throw Self.shuttingDown
    } catch {}
    throw RPCError(code: .cancelled, message: "The RPC was cancelled.")
  }

  /// Runs a part of the RPC with the scope as the current container. An error ends the scope.
  func run<Result>(_ operation: () async throws -> Result) async throws -> Result {
    do {
      return try await Container.withCurrent(container, operation: operation)
    } catch {
      await end(after: error)
      throw error
    }
  }

  /// Ends the scope of a successful RPC, and waits until its instances are disposed of.
  ///
  /// - Throws: An `RPCError`, if a disposer has failed or the scope was ended by a shutdown.
  func end() async throws {
    ending.finish()
    do {
      try await task.value
    } catch is CancellationError {
      throw Self.shuttingDown
    } catch {
      // Clients get the message, but not the cause.
      throw RPCError(code: .internalError, message: "The request could not be completed.", cause: error)
    }
  }

  /// Ends the scope after an error, and waits until its instances are disposed of.
  func end(after error: any Error) async {
    let isCancellation = error is CancellationError || (error as? RPCError)?.code == .cancelled
    if isCancellation || context.cancellation.isCancelled { task.cancel() } else { ending.finish(throwing: error) }
    _ = await task.result
  }

  private static var shuttingDown: RPCError { RPCError(code: .unavailable, message: "The server is shutting down.") }
}
