import ActorDITestSupport
import Testing

@testable import ActorDI

/// What the article of this name shows.
@Suite("Coming from Dip")
struct ComingFromDip {
  // snippet: dip services
  protocol Logger: Sendable { var level: String { get } }
  struct PlainLogger: Logger { var level = "info" }

  protocol Service: AnyObject, Sendable { var logger: any Logger { get } }
  final class ServiceImp: Service {
    let logger: any Logger
    init(logger: any Logger) { self.logger = logger }
  }
  // end

  @Test func registeringAndResolving() async throws {
    // snippet: dip registering
    let container = Container(configuration: .init(defaultScope: .graph)) {
      Registration(autowired: (any Logger).self) { PlainLogger() }
      Registration((any Service).self) { r in ServiceImp(logger: try r.resolve()) }
    }
    let service = try await container.resolve((any Service).self)
    let inferred: any Service = try await container.resolve()
    // end
    #expect(service.logger.level == "info")
    #expect(service !== inferred)
  }

  @Test func componentScopes() async throws {
    // snippet: dip scopes
    let container = Container {
      Registration(autowired: (any Logger).self) { PlainLogger() }
      Registration(autowired: (any Service).self, scope: .transient, initializer: ServiceImp.init)
        .key("unique")
      Registration(autowired: (any Service).self, scope: .graph, initializer: ServiceImp.init)
        .key("shared")
      Registration(autowired: (any Service).self, scope: .singleton, initializer: ServiceImp.init)
        .key("singleton")
      Registration(autowired: (any Service).self, scope: .shared, initializer: ServiceImp.init)
        .key("weak")
      Registration(autowired: (any Service).self, scope: .singleton, initializer: ServiceImp.init)
        .key("eager").eager()
    }
    // end
    for (key, isKept) in [("unique", false), ("shared", false), ("singleton", true), ("weak", true)] {
      let first = try await container.resolve((any Service).self, key: key)
      let second = try await container.resolve((any Service).self, key: key)
      #expect((first === second) == isKept, "\(key)")
    }
    // What was held weakly has gone with its users.
    #expect(container.resolveIfReady((any Service).self, key: "weak") == nil)
  }

  // snippet: dip tag
  enum Level: Hashable { case debug, custom(Int) }
  // end

  @Test func tags() async throws {
    // snippet: dip tags
    let container = Container {
      Registration(autowired: (any Logger).self) { PlainLogger() }
      Registration(autowired: (any Logger).self) { PlainLogger(level: "debug") }.key(Level.debug)
      Registration(autowired: (any Logger).self) { PlainLogger(level: "seven") }.key(Level.custom(7))
    }
    let debug = try await container.resolve((any Logger).self, key: Level.debug)
    // end
    #expect(debug.level == "debug")
    #expect(try await container.resolve((any Logger).self, key: Level.custom(7)).level == "seven")
    let error = try await asyncResolutionError {
      try await container.resolve((any Logger).self, key: Level.custom(8))
    }
    #expect(error.code == .notRegistered)
    func found(_ level: Level) async throws -> any Logger {
      // snippet: dip fall-back
      let logger: any Logger =
        if let tagged = try await container.resolve((any Logger)?.self, key: level) {
          tagged
        } else {
          try await container.resolve()
        }
      // end
      return logger
    }
    #expect(try await found(.debug).level == "debug")
    #expect(try await found(.custom(8)).level == "info")
  }

  @Test func runTimeArguments() async throws {
    // snippet: dip arguments
    let container = Container {
      Registration((any Logger).self) { (_, level: String, number: Int) in
        PlainLogger(level: "\(level) \(number)")
      }
    }
    let logger = try await container.resolve((any Logger).self, arguments: "debug", 3)
    // end
    #expect(logger.level == "debug 3")
  }

  // MARK: Auto-wiring

  // snippet: dip client
  final class Client: Sendable {
    let service: any Service
    let logger: (any Logger)?
    init(service: any Service, logger: (any Logger)?) {
      self.service = service
      self.logger = logger
    }
  }
  // end

  @Test func autoWiring() async throws {
    // snippet: dip auto-wiring
    let container = Container {
      Registration(autowired: (any Service).self) { ServiceImp(logger: PlainLogger()) }
      Registration(autowired: Client.self) { Client(service: $0, logger: $1) }
    }
    let client = try await container.resolve(Client.self)
    // end
    #expect(client.logger == nil)
    try await container.register((any Logger).self) { _ in PlainLogger() }
    #expect(try await container.resolve(Client.self).logger?.level == "info")
    // Both ways, as there, are two registrations.
    // snippet: dip auto-wiring with arguments
    try await container.autoregister(
      Client.self, arguments: (any Service).self, initializer: Client.init)
    let given = try await container.resolve(
      Client.self, arguments: ServiceImp(logger: PlainLogger()) as any Service)
    // end
    #expect(given.logger?.level == "info")
  }

  @Test func severalInitialisers() async throws {
    // snippet: dip alternatives
    let container = Container {
      Registration(autowired: (any Service).self) { ServiceImp(logger: PlainLogger()) }
      Registration(autowired: Client.self) { (service: any Service) in
        Client(service: service, logger: service.logger)
      }
      Registration(autowired: Client.self) { (service: any Service, logger: any Logger) in
        Client(service: service, logger: logger)
      }
      .alternative()
    }
    let small = try await container.resolve(Client.self)
    try await container.register((any Logger).self) { _ in PlainLogger(level: "debug") }
    let large = try await container.resolve(Client.self)
    // end
    #expect(small.logger?.level == "info")
    #expect(large.logger?.level == "debug")
    try await container.register {
      Registration(autowired: Client.self) { (service: any Service, level: String) in
        Client(service: service, logger: PlainLogger(level: level))
      }
      .alternative()
      Registration(autowired: String.self) { "verbose" }
    }
    let error = try await asyncResolutionError { try await container.resolve(Client.self) }
    #expect(error.code == .ambiguous)
  }

  @Test func tagInheritance() async throws {
    // snippet: dip inherit key
    let container = Container {
      Registration(autowired: (any Logger).self, scope: .singleton) { PlainLogger() }
      Registration(autowired: (any Logger).self) { PlainLogger(level: "debug") }.key("debug")
      Registration(autowired: (any Service).self, initializer: ServiceImp.init).inheritKey()
      Registration(autowired: Client.self, initializer: Client.init).key("debug").inheritKey()
      Registration(autowired: Client.self, initializer: Client.init).key("release").inheritKey()
    }
    let debug = try await container.resolve(Client.self, key: "debug")
    let release = try await container.resolve(Client.self, key: "release")
    // end
    #expect(debug.logger?.level == "debug" && debug.service.logger.level == "debug")
    #expect(release.logger?.level == "info" && release.service.logger.level == "info")
  }

  @Test func unkeyedSingletonsStaySingle() async throws {
    let container = Container {
      Registration(autowired: (any Logger).self) { PlainLogger() }
      Registration(autowired: (any Service).self, scope: .singleton, initializer: ServiceImp.init)
      Registration(autowired: Client.self, initializer: Client.init).key("debug").inheritKey()
      Registration(autowired: Client.self, initializer: Client.init).key("release").inheritKey()
    }
    let debug = try await container.resolve(Client.self, key: "debug")
    let release = try await container.resolve(Client.self, key: "release")
    #expect(debug.service === release.service)
  }
}
