import ActorDI
import ActorDIGRPC
import GRPCCore
import GRPCInProcessTransport
import Synchronization
import Testing

/// What disposers have noted.
final class Notes: Sendable {
  private let notes = Mutex<[String]>([])
  var all: [String] { notes.withLock { $0 } }
  func add(_ note: String) { notes.withLock { $0.append(note) } }
}

/// A unit of work, which belongs to one RPC.
final class Unit: Sendable {
  let user: String
  let method: String

  init(metadata: Metadata, context: ServerContext) {
    user = metadata[stringValues: "user"].first { _ in true } ?? "nobody"
    method = context.descriptor.method
  }

  var text: String { "\(user) \(method)" }
}

struct Refused: Error {}

/// An event that a test waits for.
struct Signal: Sendable {
  private let events = AsyncStream<Void>.makeStream()
  func send() { events.continuation.yield() }
  func wait() async { for await _ in events.stream { break } }
}

typealias Response = StreamingServerResponse<String>

/// Messages are UTF-8 text.
struct Text: MessageSerializer, MessageDeserializer {
  func serialize<Bytes: GRPCContiguousBytes>(_ message: String) -> Bytes { Bytes(Array(message.utf8)) }
  func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) -> String {
    unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
  }
}

/// A service whose methods are given by name.
struct Methods: RegistrableRPCService {
  typealias Handler = @Sendable (StreamingServerRequest<String>, ServerContext) async throws -> Response
  let handlers: [String: Handler]

  func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
    for (name, handler) in handlers {
      router.registerHandler(
        forMethod: .named(name), deserializer: Text(), serializer: Text(), handler: handler)
    }
  }
}

extension MethodDescriptor {
  static func named(_ name: String) -> MethodDescriptor {
    MethodDescriptor(fullyQualifiedService: "test", method: name)
  }
}

struct Client: Sendable {
  let base: GRPCClient<InProcessTransport.Client>

  /// Calls a method with one message, and returns the messages of the response.
  func call(_ method: String, _ message: String = "", options: CallOptions = .defaults) async throws -> [String] {
    try await call(method, options: options) { try await $0.write(message) }
  }

  func call(
    _ method: String, options: CallOptions = .defaults, onMessage: @escaping @Sendable (String) -> Void = { _ in },
    producer: @escaping @Sendable (RPCWriter<String>) async throws -> Void
  ) async throws -> [String] {
    try await base.bidirectionalStreaming(
      request: StreamingClientRequest(metadata: ["user": "ann"], producer: producer), descriptor: .named(method),
      serializer: Text(), deserializer: Text(), options: options
    ) { response in
      try await response.messages.reduce(into: []) {
        onMessage($1)
        $0.append($1)
      }
    }
  }

  /// Begins a chat that only its cancellation ends, and waits for the first answer.
  func openChat() async -> Task<[String], any Error> {
    let received = Signal()
    let call = Task {
      try await self.call("chat") { _ in
        received.send()
      } producer: { writer in
        try await writer.write("one")
        try await Task.sleep(for: .seconds(600))
      }
    }
    await received.wait()
    return call
  }
}

@Suite("ContainerInterceptor")
struct ContainerInterceptorTests {
  private let notes = Notes()

  private func makeContainer() -> Container {
    Container(name: "app") { [notes] in
      Registration(autowired: Unit.self, scope: .scoped("request"), initializer: Unit.init)
        .onDispose { unit, outcome in notes.add("\(unit.text) \(outcome.brief)") }
    }
  }

  /// Runs a test with a server whose handlers use the container, and ends the server.
  private func test(
    _ container: Container, _ handlers: [String: Methods.Handler], interceptors: [any ServerInterceptor]? = nil,
    _ body: (Client) async throws -> Void
  ) async throws {
    let transport = InProcessTransport()
    try await withGRPCServer(
      transport: transport.server, services: [Methods(handlers: handlers)],
      interceptors: interceptors ?? [ContainerInterceptor(container)]
    ) { _ in
      try await withGRPCClient(transport: transport.client) { try await body(Client(base: $0)) }
    }
  }

  private static let unary: Methods.Handler = { request, context in
    let request = try await ServerRequest(stream: request)
    let unit = try await Container.current.resolve(Unit.self)
    return Response(single: ServerResponse(message: "\(unit.text) \(request.message)"))
  }

  /// Answers each message as it arrives.
  private static let chat: Methods.Handler = { request, context in
    let unit = try await Container.current.resolve(Unit.self)
    return Response { writer in
      for try await message in request.messages {
        let same = try await Container.current.resolve(Unit.self)
        try await writer.write(unit === same ? message : "another unit")
      }
      return [:]
    }
  }

  @Test func eachCallHasAScopeWithItsMetadataAndContext() async throws {
    let container = makeContainer()
    try await test(container, ["get": Self.unary]) { client async throws in
      for _ in 0..<3 { #expect(try await client.call("get", "one") == ["ann get one"]) }
    }
    #expect(notes.all == ["ann get completed", "ann get completed", "ann get completed"])
    #expect(container.openScopes.isEmpty)
  }

  @Test func registrationsCanBeAdded() async throws {
    let interceptor = ContainerInterceptor(Container(name: "app"), name: "rpc") { metadata, context in
      Registration(instance: "\(context.descriptor.method) of \(Array(metadata[stringValues: "user"]))")
    }
    let text: Methods.Handler = { _, _ in
      Response(single: ServerResponse(message: try await Container.current.resolve() + " in \(Container.current.name)"))
    }
    try await test(Container(), ["get": text], interceptors: [interceptor]) { client async throws in
      #expect(try await client.call("get") == [#"get of ["ann"] in rpc"#])
    }
  }

  @Test func streamsKeepTheirScopeOpen() async throws {
    let container = makeContainer()
    let (received, mayEnd) = (Signal(), Signal())
    try await test(container, ["chat": Self.chat]) { [notes] client async throws in
      async let answers = client.call("chat") { _ in
        received.send()
      } producer: { writer in
        try await writer.write("one")
        try await writer.write("two")
        await mayEnd.wait()
      }
      await received.wait()
      await received.wait()
      #expect(notes.all.isEmpty && container.openScopes.count == 1)
      mayEnd.send()
      #expect(try await answers == ["one", "two"])
    }
    #expect(notes.all == ["ann chat completed"])
    #expect(container.openScopes.isEmpty)
  }

  @Test func disposersLearnErrors() async throws {
    let failing: Methods.Handler = { _, _ in
      _ = try await Container.current.resolve(Unit.self)
      throw RPCError(code: .notFound, message: "no such order")
    }
    let refusing: Methods.Handler = { _, _ in
      _ = try await Container.current.resolve(Unit.self)
      return Response(error: RPCError(code: .permissionDenied, message: ""))
    }
    let breaking: Methods.Handler = { _, _ in
      _ = try await Container.current.resolve(Unit.self)
      return Response { writer in
        try await writer.write("one")
        throw Refused()
      }
    }
    let cancelled: Methods.Handler = { _, _ in
      _ = try await Container.current.resolve(Unit.self)
      throw CancellationError()
    }
    let container = makeContainer()
    try await test(
      container, ["fail": failing, "refuse": refusing, "break": breaking, "cancel": cancelled]
    ) { client async throws in
      for (method, code) in [
        ("fail", RPCError.Code.notFound), ("refuse", .permissionDenied), ("break", .unknown), ("cancel", .unknown),
      ] {
        let error = await #expect(throws: RPCError.self) { try await client.call(method) }
        #expect(error?.code == code)
      }
    }
    #expect(notes.all == ["ann fail failed", "ann refuse failed", "ann break failed", "ann cancel cancelled"])
    #expect(container.openScopes.isEmpty)
  }

  @Test func aDeadlineIsACancellation() async throws {
    let waiting: Methods.Handler = { _, context in
      _ = try await Container.current.resolve(Unit.self)
      return Response { _ in
        try await context.cancellation.cancelled
        throw Refused()
      }
    }
    var options = CallOptions.defaults
    options.timeout = .milliseconds(20)
    try await test(makeContainer(), ["wait": waiting]) { client async throws in
      await #expect(throws: RPCError.self) { try await client.call("wait", options: options) }
    }
    // The server has ended.
    #expect(notes.all == ["ann wait cancelled"])
  }

  @Test func aClientThatGoesAwayEndsTheScope() async throws {
    let container = makeContainer()
    try await test(container, ["chat": Self.chat]) { client async throws in
      let call = await client.openChat()
      call.cancel()
      _ = await call.result
    }
    #expect(notes.all.count == 1)
    #expect(container.openScopes.isEmpty)
  }

  @Test(arguments: ["get", "chat"])
  func aFailedDisposerFailsTheCall(method: String) async throws {
    let container = Container {
      Registration(autowired: Unit.self, scope: .scoped("request"), initializer: Unit.init)
        .onDispose { _ in throw Refused() }
    }
    try await test(container, ["get": Self.unary, "chat": Self.chat]) { client async throws in
      let error = await #expect(throws: RPCError.self) { try await client.call(method) }
      #expect(error?.code == .internalError)
      // The client learns no details.
      #expect(error?.message.contains("Refused") == false)
    }
  }

  @Test func theErrorOfTheHandlerTakesPrecedence() async throws {
    let container = Container {
      Registration(autowired: Unit.self, scope: .scoped("request"), initializer: Unit.init)
        .onDispose { _ in throw Refused() }
    }
    let failing: Methods.Handler = { _, _ in
      _ = try await Container.current.resolve(Unit.self)
      throw RPCError(code: .notFound, message: "")
    }
    try await test(container, ["fail": failing]) { client async throws in
      let error = await #expect(throws: RPCError.self) { try await client.call("fail") }
      #expect(error?.code == .notFound)
    }
  }

  @Test func aClosedContainerIsUnavailable() async throws {
    let container = makeContainer()
    try await container.shutdown()
    try await test(container, ["get": Self.unary]) { client async throws in
      let error = await #expect(throws: RPCError.self) { try await client.call("get") }
      #expect(error?.code == .unavailable)
    }
  }

  @Test func aResponseThatIsDroppedEndsItsScope() async throws {
    struct Dropping: ServerInterceptor {
      func intercept<Input: Sendable, Output: Sendable>(
        request: StreamingServerRequest<Input>, context: ServerContext,
        next: @Sendable (StreamingServerRequest<Input>, ServerContext) async throws -> StreamingServerResponse<Output>
      ) async throws -> StreamingServerResponse<Output> {
        _ = try await next(request, context)
        return StreamingServerResponse(error: RPCError(code: .dataLoss, message: ""))
      }
    }
    let container = makeContainer()
    try await test(
      container, ["get": Self.unary], interceptors: [Dropping(), ContainerInterceptor(container)]
    ) { client async throws in
      let error = await #expect(throws: RPCError.self) { try await client.call("get") }
      #expect(error?.code == .dataLoss)
    }
    // Waits for the scope.
    try await container.shutdown()
    #expect(notes.all == ["ann get cancelled"])
  }

  @Test func aShutdownWaitsForStreams() async throws {
    let container = makeContainer()
    let (received, mayEnd) = (Signal(), Signal())
    try await test(container, ["chat": Self.chat]) { client async throws in
      async let answers = client.call("chat") { _ in
        received.send()
      } producer: { writer in
        try await writer.write("one")
        await mayEnd.wait()
        try await writer.write("two")
      }
      await received.wait()
      let shutdown = Task { try await container.shutdown() }
      // A new call finds the container closed.
      while (try? await client.call("chat", "three")) != nil {}
      mayEnd.send()
      #expect(try await answers == ["one", "two"])
      try await shutdown.value
    }
    #expect(notes.all.last == "ann chat completed")
  }

  @Test func aShutdownWhoseTimeIsUpFailsTheCall() async throws {
    let container = makeContainer()
    let (received, mayEnd) = (Signal(), Signal())
    try await test(container, ["chat": Self.chat]) { client async throws in
      let call = Task {
        try await client.call("chat") { _ in
          received.send()
        } producer: { writer in
          try await writer.write("one")
          await mayEnd.wait()
        }
      }
      await received.wait()
      let error = await #expect(throws: ShutdownError.self) {
        try await container.shutdown(timeout: .milliseconds(20))
      }
      #expect(error?.openScopes.count == 1)
      #expect(notes.all == ["ann chat shutDown"])
      mayEnd.send()
      let failure = await #expect(throws: RPCError.self) { try await call.value }
      #expect(failure?.code == .unavailable)
    }
    #expect(notes.all.count == 1)
  }

  @Test(arguments: [true, false])
  func aResolveAfterAShutdownWhoseTimeIsUpFailsTheCall(whileWriting: Bool) async throws {
    let container = makeContainer()
    let late: Methods.Handler = { _, _ in
      _ = try await Container.current.resolve(Unit.self)
      let resolve: @Sendable () async throws -> Void = {
        // In another task, so that it waits for the RPC, whose time is up at once.
        await Task.detached { try? await container.shutdown(timeout: .zero) }.value
        _ = try await Container.current.resolve(Unit.self)
      }
      if !whileWriting { try await resolve() }
      return Response { _ in
        try await resolve()
        return [:]
      }
    }
    try await test(container, ["late": late]) { client async throws in
      let error = await #expect(throws: RPCError.self) { try await client.call("late") }
      #expect(error?.code == .unavailable)
    }
    #expect(notes.all == ["ann late shutDown"])
  }

  @Test func aServerThatIsCancelledEndsItsScopes() async throws {
    let container = makeContainer()
    let transport = InProcessTransport()
    let server = GRPCServer(
      transport: transport.server, services: [Methods(handlers: ["chat": Self.chat])],
      interceptors: [ContainerInterceptor(container)])
    let serving = Task { try await server.serve() }
    _ = try? await withGRPCClient(transport: transport.client) { base in
      let call = await Client(base: base).openChat()
      serving.cancel()
      _ = await serving.result
      call.cancel()
    }
    #expect(notes.all.count == 1)
    #expect(container.openScopes.isEmpty)
  }

  @Test func manyCallsAtOnceLeaveNoScope() async throws {
    let container = makeContainer()
    let failing: Methods.Handler = { _, _ in
      _ = try await Container.current.resolve(Unit.self)
      throw Refused()
    }
    try await test(container, ["get": Self.unary, "chat": Self.chat, "fail": failing]) { client async throws in
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<300 {
          let method = ["get", "chat", "fail"][index % 3]
          group.addTask { _ = try? await client.call(method, "text") }
        }
      }
    }
    #expect(container.openScopes.isEmpty)
    #expect(notes.all.count == 300 && notes.all.count { $0.hasSuffix("completed") } == 200)
  }
}

extension ScopeOutcome {
  /// The outcome without its error.
  fileprivate var brief: String { String("\(self)".prefix { $0 != "(" }) }
}
