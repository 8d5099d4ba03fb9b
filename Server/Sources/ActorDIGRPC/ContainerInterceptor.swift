public import ActorDI
public import GRPCCore

/// Opens a scope of a container for each RPC.
///
/// ```swift
/// struct OrderService: Orders.SimpleServiceProtocol {
///   func place(request: Order, context: ServerContext) async throws -> Receipt {
///     try await Container.current.resolve(PlaceOrder.self).respond(to: request)
///   }
/// }
///
/// let server = GRPCServer(transport: transport, services: [OrderService()], interceptors: [ContainerInterceptor(app)])
/// ```
///
/// The scope is the `Container.current` of the handler, of the interceptors that follow, and of the closure that writes the response. By
/// default, the scope has the `ServerContext` and the `Metadata` of the request as services; `registrations` can add others, such as the
/// user.
///
/// The scope ends when the response has been written, streamed or not, and before its status is sent. Disposers learn the outcome:
///
/// | the RPC | outcome |
/// | --- | --- |
/// | The handler returns, and the response is written. | `completed` |
/// | Either throws, after the RPC was cancelled or with a cancellation. | `cancelled` |
/// | Either throws, or the handler returns a failure. | `failed` |
/// | The response is dropped, such as by another interceptor. | `cancelled` |
///
/// If a disposer fails after an RPC without an error, the RPC fails with `internalError`: the client learns that the commit has failed.
/// If the container is closed, the RPC fails with `unavailable`.
///
/// A shutdown of the container waits for the scopes. When its time is up, it closes them with the outcome `shutDown`. Their RPCs continue,
/// and fail with `unavailable`.
public struct ContainerInterceptor: ServerInterceptor {
  private let container: Container
  private let name: ScopeName
  private let registrations: @Sendable (Metadata, ServerContext) -> Registrations

  /// Creates an interceptor.
  ///
  /// - Parameters:
  ///   - container: The container that has the registrations of the application.
  ///   - name: The name of the scopes.
  ///   - registrations: The registrations of an RPC's scope; by default, the context and the metadata of the request.
  public init(
    _ container: Container, name: ScopeName = "request",
    @RegistrationBuilder registrations: @escaping @Sendable (Metadata, ServerContext) -> Registrations = {
      metadata, context in
      Registrations {
        Registration(instance: metadata)
        Registration(instance: context)
      }
    }
  ) {
    self.container = container
    self.name = name
    self.registrations = registrations
  }

  /// Handles an RPC in a scope of its own.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - context: The context of the request.
  ///   - next: The next interceptor, or the handler.
  /// - Returns: The response, which keeps the scope open until it is written.
  /// - Throws: The error of the handler; an `RPCError` with the code `unavailable` if the container is closed.
  public func intercept<Input: Sendable, Output: Sendable>(
    request: StreamingServerRequest<Input>, context: ServerContext,
    next: @Sendable (StreamingServerRequest<Input>, ServerContext) async throws -> StreamingServerResponse<Output>
  ) async throws -> StreamingServerResponse<Output> {
    let scope = try await RPCScope.open(in: container, name, for: context) {
      [registrations, metadata = request.metadata] in
      registrations(metadata, context)
    }
    var response = try await scope.run { try await next(request, context) }
    switch response.accepted {
    case .failure(let error):
      await scope.end(after: error)
    case .success(var contents):
      // Keeps the scope open until it is called or dropped.
      contents.producer = { [producer = contents.producer] writer in
        let trailingMetadata = try await scope.run { try await producer(writer) }
        try await scope.end()
        return trailingMetadata
      }
      response.accepted = .success(contents)
    }
    return response
  }
}
