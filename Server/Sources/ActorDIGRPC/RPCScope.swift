import ActorDI
import GRPCCore

/// The scope of an RPC. If all copies are released before an end, it ends as `cancelled`.
struct RPCScope: Sendable {
  private let scope: Container
  private let extending: ScopeExtension
  private let context: ServerContext

  /// Opens a scope.
  ///
  /// - Throws: An `RPCError` with the code `unavailable` if the container is closed.
  static func open(
    in container: Container, _ name: ScopeName, for context: ServerContext,
    _ registrations: @escaping @Sendable () -> Registrations
  ) async throws -> RPCScope {
    try await whileOpen {
      try await container.withScope(name, registrations) { scope in
        RPCScope(scope: scope, extending: try scope.extendScope(), context: context)
      }
    }
  }

  /// Runs a part of the RPC with the scope as the current container. An error ends the scope.
  ///
  /// - Throws: The error of the operation; an `RPCError` with the code `unavailable` for that of a closed container.
  func run<Result>(_ operation: () async throws -> Result) async throws -> Result {
    do {
      return try await Self.whileOpen { try await Container.withCurrent(scope, operation: operation) }
    } catch {
      await end(after: error)
      throw error
    }
  }

  /// Ends the scope of a successful RPC, and waits until its instances are disposed of.
  ///
  /// - Throws: An `RPCError`, if a disposer has failed or a shutdown has closed the scope.
  func end() async throws {
    // An extension ends without an error if the time of a shutdown was up, which has closed the scope. No other one is granted then.
    let last = try await Self.whileOpen { try scope.extendScope() }
    do {
      try await extending.end()
      try await last.end()
    } catch {
      // Clients get the message, but not the cause.
      throw RPCError(code: .internalError, message: "The request could not be completed.", cause: error)
    }
  }

  /// Ends the scope after an error, and waits until its instances are disposed of.
  func end(after error: any Error) async {
    let isCancellation = error is CancellationError || (error as? RPCError)?.code == .cancelled
    // The error of the RPC takes precedence over failed disposals.
    try? await extending.end(after: isCancellation || context.cancellation.isCancelled ? .cancelled : .failed(error))
  }

  private static func whileOpen<Result>(_ operation: () async throws -> Result) async throws -> Result {
    do {
      return try await operation()
    } catch let error as ResolutionError where error.code == .closed {
      throw RPCError(code: .unavailable, message: "The server is shutting down.", cause: error)
    }
  }
}
