import ActorDITestSupport
import Testing

@testable import ActorDI

/// The second half of the article on Dip.
@Suite("Coming from Dip: the life of containers")
struct ComingFromDipLifecycle {
  typealias Logger = ComingFromDip.Logger
  typealias PlainLogger = ComingFromDip.PlainLogger
  typealias Service = ComingFromDip.Service
  typealias ServiceImp = ComingFromDip.ServiceImp

  @Test func bootstrapping() async throws {
    let built = Counter()
    // snippet: dip bootstrap
    let container = Container {
      Registration(autowired: (any Service).self, scope: .singleton) {
        built.increment()
        return ServiceImp(logger: PlainLogger())
      }.eager()
    }
    await container.freeze()
    try await container.start()
    // end
    #expect(built.count == 1)
    #expect(container.resolveIfReady((any Service).self) != nil)
    let error = try await asyncResolutionError {
      try await container.register((any Logger).self) { _ in PlainLogger() }
    }
    #expect(error.code == .frozen)
  }

  // snippet: dip delegate
  @MainActor final class Interactor {
    var client: NetworkClient?
  }
  @MainActor final class NetworkClient {
    weak var delegate: Interactor?
    var logger: (any Logger)?
  }
  // end

  @Test func resolvingProperties() async throws {
    // snippet: dip resolving properties
    let container = Container(configuration: .init(defaultScope: .graph)) {
      Registration(autowired: (any Logger).self) { PlainLogger() }
      Registration(autowired: Interactor.self, initializer: Interactor.init)
        .onCreated { @MainActor interactor, r in interactor.client = try await r.resolve() }
      Registration(autowired: NetworkClient.self, initializer: NetworkClient.init)
        .onCreated { @MainActor client, r in
          client.delegate = try await r.resolve()
          client.logger = try await r.resolve()
        }
    }
    let interactor = try await container.resolve(Interactor.self)
    // end
    await MainActor.run {
      #expect(interactor.client?.delegate === interactor)
      #expect(interactor.client?.logger?.level == "info")
    }
    // Held weakly by the client alone, its delegate is gone, as there.
    let client = try await container.resolve(NetworkClient.self)
    await MainActor.run { #expect(client.delegate == nil) }
  }

  // snippet: dip server and client
  @MainActor final class Server {
    weak var client: ServerClient?
  }
  @MainActor final class ServerClient {
    let server: Server
    init(server: Server) { self.server = server }
  }
  // end

  @Test(arguments: [Scope.graph, .shared, .singleton])
  func initialiserAndProperty(scope: Scope) async throws {
    // snippet: dip circular initialiser
    let container = Container {
      Registration(autowired: Server.self, scope: scope, initializer: Server.init)
      Registration(autowired: ServerClient.self, scope: scope, initializer: ServerClient.init)
        .onCreated { @MainActor client, _ in client.server.client = client }
    }
    let client = try await container.resolve(ServerClient.self)
    // end
    await MainActor.run { #expect(client.server.client === client) }
  }

  // snippet: dip resolvable
  actor Session: ResolutionAware {
    let service: any Service
    private(set) var isOpen = false
    init(service: any Service) { self.service = service }

    func didResolve() async throws { isOpen = true }
  }
  // end

  @Test func resolvable() async throws {
    // snippet: dip resolution aware
    let container = Container {
      Registration(autowired: (any Service).self) { ServiceImp(logger: PlainLogger()) }
      Registration(autowired: Session.self, scope: .singleton, initializer: Session.init)
    }
    let session = try await container.resolve(Session.self)
    // end
    #expect(await session.isOpen)
  }

  // snippet: dip injected
  final class Screen {
    var logger: (any Logger)?
    var service: (any Service)?
  }
  // end

  @Test func autoInjection() async throws {
    // snippet: dip inject
    let container = Container {
      Registration(autowired: (any Logger).self) { PlainLogger(level: "debug") }.key("debug")
      Registration(Screen.self) { _ in Screen() }
        .inject(\.logger, key: "debug")
        .inject(\.service)
    }
    let screen = try await container.resolve(Screen.self)
    // end
    #expect(screen.logger?.level == "debug")
    #expect(screen.service == nil)
  }

  @Test func typeForwarding() async throws {
    // snippet: dip forwarding
    let container = Container {
      Registration(autowired: ServiceImp.self, scope: .singleton) { ServiceImp(logger: PlainLogger()) }
        .implements((any Service).self) { $0 }
        .implements((any Service).self, key: "tagged") { $0 }
    }
    let service = try await container.resolve((any Service).self)
    // end
    #expect(try await container.resolve(ServiceImp.self) === service)
    #expect(try await container.resolve((any Service).self, key: "tagged") === service)
  }

  @Test func collaboration() async throws {
    // snippet: dip collaborate
    let root = Container(name: "root") {
      Registration(autowired: (any Logger).self) { PlainLogger() }
    }
    let events = Container(name: "events") {
      Registration(autowired: (any Service).self, scope: .singleton, initializer: ServiceImp.init)
    }
    let links = [events.link(root), root.link(events)]

    let service = try await root.resolve((any Service).self)
    let same = try await events.resolve((any Service).self)
    // end
    #expect(service === same)
    #expect(service.logger.level == "info")
    // snippet: dip end of collaboration
    for link in links { link.cancel() }
    // end
    #expect(!root.contains((any Service).self))
  }

  @Test func context() async throws {
    // snippet: dip context
    let container = Container {
      Registration((any Logger).self) { r in
        PlainLogger(level: r.context?.requester?.description ?? "nobody")
      }
      Registration(autowired: (any Service).self, initializer: ServiceImp.init).key("tagged")
    }
    let service = try await container.resolve((any Service).self, key: "tagged")
    // end
    #expect(service.logger.level == #"any Service["tagged"]"#)
    #expect(try await container.resolve((any Logger).self).level == "nobody")
  }

  @Test func validation() async throws {
    let container = Container {
      Registration(autowired: (any Logger).self) { PlainLogger() }.key("debug")
      Registration((any Logger).self) { (_, level: String) in PlainLogger(level: level) }
    }
    func resolveEach() async throws {
      // snippet: dip validate
      for registration in container.registrations where registration.arguments.isEmpty {
        if let key = registration.key {
          _ = try await container.resolveAny(registration.service, key: key)
        } else {
          _ = try await container.resolveAny(registration.service)
        }
      }
      // end
    }
    try await resolveEach()
    try await container.autoregister((any Service).self, initializer: ServiceImp.init)
    let error = try await asyncResolutionError { try await resolveEach() }
    #expect(error.path == ["any Service", "any Logger"])
  }

  @Test func removing() async throws {
    let container = Container {
      Registration(autowired: (any Logger).self) { PlainLogger() }.key("debug")
      Registration(autowired: (any Service).self, scope: .singleton) { ServiceImp(logger: PlainLogger()) }
    }
    let service = try await container.resolve((any Service).self)
    // snippet: dip remove
    let wasThere = await container.unregister((any Logger).self, key: "debug")
    // end
    #expect(wasThere && !container.contains((any Logger).self, key: "debug"))
    // snippet: dip reset instances
    await container.reset()
    // end
    #expect(try await container.resolve((any Service).self) !== service)
    // snippet: dip reset
    await container.clear()
    // end
    #expect(container.registrationCount == 0)
  }

  @Test func weaklyTypedResolve() async throws {
    let container = Container {
      Registration(autowired: (any Service).self) { ServiceImp(logger: PlainLogger()) }
    }
    // snippet: dip weakly typed
    let type: any Any.Type = (any Service).self
    let service = try await container.resolveAny(type)
    // end
    #expect(service is any Service)
  }
}
