import ActorDI
import ActorDIGRPC
import GRPCCore
import GRPCInProcessTransport
import Testing

// The example of the README, with stand-ins for the code that a plugin generates.

typealias Order = String
typealias Receipt = String

enum Orders {
  protocol SimpleServiceProtocol: RegistrableRPCService {
    func place(request: Order, context: ServerContext) async throws -> Receipt
  }
}

extension Orders.SimpleServiceProtocol {
  func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
    router.registerHandler(forMethod: .named("place"), deserializer: Text(), serializer: Text()) { request, context in
      let request = try await ServerRequest(stream: request)
      let receipt = try await place(request: request.message, context: context)
      return StreamingServerResponse(single: ServerResponse(message: receipt))
    }
  }
}

struct PlaceOrder: Sendable {
  let context: ServerContext
  func respond(to order: Order) -> Receipt { "\(order) by \(context.descriptor.method)" }
}

struct OrderService: Orders.SimpleServiceProtocol {
  func place(request: Order, context: ServerContext) async throws -> Receipt {
    try await Container.current.resolve(PlaceOrder.self).respond(to: request)
  }
}

@Test func theExampleOfTheReadme() async throws {
  let app = Container(name: "app") {
    Registration(autowired: PlaceOrder.self, scope: .scoped("request"), initializer: PlaceOrder.init)
  }
  let transport = InProcessTransport()
  let server = GRPCServer(
    transport: transport.server, services: [OrderService()], interceptors: [ContainerInterceptor(app)])
  async let serving: Void = server.serve()
  try await withGRPCClient(transport: transport.client) { client async throws in
    #expect(try await Client(base: client).call("place", "tea") == ["tea by place"])
  }
  server.beginGracefulShutdown()
  try await serving
  #expect(try await app.validate().expectedFromScopes.map(\.description) == ["ServerContext"])
}
