import ActorDI
import ActorDITestSupport
import ActorDITesting
import Testing

/// What the article of this name shows.
@Suite("Errors", .timeLimit(.minutes(5)))
struct Errors {
  struct Database: Sendable {
    init() {}
    init(url: String) async throws {}
  }
  struct Mailer: Sendable {}
  struct Refused: Error {}
  final class Accounts: Sendable { init(database: Database) {} }
  final class Orders: Sendable { init(stock: Stock) {} }
  final class Stock: Sendable { init(orders: Orders) {} }
  final class Report: Sendable {}
  final class Invoices: Sendable { init(mailer: Mailer) {} }
  final class Transaction: Sendable {}
  final class Greeting: Sendable { init(name: String) {} }
  final class Transfer: Sendable { init(from: String, to: String, database: Database) {} }

  /// Returns the description of the error that an operation throws. The operation stands in for the file App/Services.swift.
  private func message<Failure: Error>(
    _ type: Failure.Type = ResolutionError.self, line: Int = #line, _ operation: () async throws -> Void
  ) async throws -> String {
    let error = try #require(await #expect(throws: type) { try await operation() })
    // The snippet begins in the second line after the call.
    return "\(error)".replacing(/\w+\/Errors\.swift:(\d+)/) { match in
      "App/Services.swift:\((Int(match.1) ?? 0) - line - 1)"
    }
  }

  @Test func ambiguous() async throws {
    let text = try await message {
      // snippet: errors ambiguous
      let app = Container(name: "app") {
        Registration(autowired: Report.self) { (_: Database) in Report() }
        Registration(autowired: Report.self) { (_: Mailer) in Report() }.alternative()
        Registration(instance: Database())
        Registration(instance: Mailer())
      }
      _ = try await app.resolve(Report.self)
      // end
    }
    // output: errors ambiguous
    let expected = """
      Several registrations fit Report equally well.
      Candidates: (Database) at App/Services.swift:2; (Mailer) at App/Services.swift:3.
      Remove one of them, or give it a key or another parameter that can be satisfied.
      """
    // end
    #expect(text == expected)
  }

  @Test func ambiguousArguments() async throws {
    let app = Container(name: "app")
    let text = try await message {
      // snippet: errors ambiguousArguments
      try await app.register {  // Transfer.init(from: String, to: String, database: Database)
        Registration(
          autowired: Transfer.self, arguments: String.self, initializer: Transfer.init)
      }
      // end
    }
    // output: errors ambiguousArguments
    let expected = """
      Transfer(String) has ambiguous arguments.
      The initialiser (String, String, Database) -> Transfer cannot be autowired: 2 of its parameters have the type of the \
      one argument String.
      Write a factory closure, which passes each argument explicitly.
      """
    // end
    #expect(text == expected)
  }

  @Test func argumentMismatch() async throws {
    let text = try await message {
      // snippet: errors argumentMismatch
      let app = Container(name: "app") {
        Registration(Greeting.self) { (_, name: String) in Greeting(name: name) }
      }
      _ = try await app.resolve(Greeting.self, arguments: 17)
      // end
    }
    // output: errors argumentMismatch
    let expected = """
      Greeting(Int) is not registered in container "app"; registrations with other arguments exist.
      Registered: Greeting(String)
      Pass arguments of exactly the registered types, in the same order.
      """
    // end
    #expect(text == expected)
  }

  @Test func asyncRequired() async throws {
    let text = try await message {
      // snippet: errors asyncRequired
      let app = Container(name: "app") {
        Registration(autowired: Database.self, scope: .singleton) {
          try await Database(url: "db.example")
        }
        // Accounts.init takes the database.
        Registration(autowired: Accounts.self, initializer: Accounts.init)
      }
      func accounts() throws -> Accounts { try app.resolve() }
      _ = try accounts()
      // end
    }
    // output: errors asyncRequired
    let expected = """
      Database is built asynchronously, and was resolved by synchronous code.
      Resolution path: Accounts -> Database
      Resolve it with 'try await' first; once it is built and kept, synchronous code finds it.
      In the top-level code of main.swift, the compiler chooses the synchronous form even after 'try await': \
      move the code into an asynchronous function.
      """
    // end
    #expect(text == expected)
  }

  @Test func asyncRequiredInAFactory() async throws {
    let text = try await message {
      // snippet: errors asyncRequired in a factory
      let app = Container(name: "app") {
        Registration(autowired: Database.self, scope: .singleton) {
          try await Database(url: "db.example")
        }
        Registration(Accounts.self) { r in Accounts(database: try r.resolve()) }
      }
      _ = try await app.resolve(Accounts.self)
      // end
    }
    // output: errors asyncRequired in a factory
    let expected = """
      Database is built asynchronously, and was resolved by synchronous code.
      A synchronous closure of Accounts has resolved it. Write 'try await r.resolve()' in the closure, autowire Accounts, \
      or add an asynchronous form by suspending(_:).
      Resolution path: Accounts -> Database
      Or build it before: once it is built and kept, synchronous code finds it.
      """
    // end
    #expect(text == expected)
  }

  @Test func closed() async throws {
    let app = Container(name: "app") { Database() }
    let text = try await message {
      // snippet: errors closed
      let request = try await app.withScope("request") { scope in scope }
      _ = try await request.resolve(Database.self)
      // end
    }
    // output: errors closed
    let expected = """
      Container "request" is closed: Database can no longer be resolved or registered.
      Use it before the container is shut down or its scope ends, or use an open container.
      """
    // end
    #expect(text == expected)
  }

  @Test func cycle() async throws {
    let text = try await message {
      // snippet: errors cycle
      let app = Container(name: "app") {
        Registration(autowired: Orders.self, initializer: Orders.init)  // takes the stock
        Registration(autowired: Stock.self, initializer: Stock.init)  // takes the orders
      }
      _ = try await app.resolve(Orders.self)
      // end
    }
    // output: errors cycle
    let expected = """
      Dependency cycle detected: Orders -> Stock -> Orders
      Let one of them take a Lazy or Provider, or set the reference in an onCreated hook of the service whose \
      initialiser takes the other one.
      """
    // end
    #expect(text == expected)
  }

  @Test func duplicate() async throws {
    let text = try await message {
      // snippet: errors duplicate
      let app = Container(name: "app", configuration: .init(duplicates: .error)) {
        Registration(autowired: Mailer.self) { Mailer() }
      }
      try await app.register(Mailer.self) { _ in Mailer() }
      // end
    }
    // output: errors duplicate
    let expected = """
      Mailer is registered already in container "app".
      It was registered first at App/Services.swift:2.
      Remove one of them, give one a key, or set Container.Configuration.duplicates to .replace.
      """
    // end
    #expect(text == expected)
  }

  @Test func external() async throws {
    let text = try await message {
      // snippet: errors external
      let app = Container(name: "app") {
        Registration(autowired: Mailer.self) { Mailer() }.external()
        Registration(autowired: Invoices.self, initializer: Invoices.init)
      }
      try await app.withOverrides(strict: true) {
      } operation: {
        _ = try await app.resolve(Invoices.self)
      }
      // end
    }
    // output: errors external
    let expected = """
      Mailer is external, and no override replaces it in this strict test.
      Registered as external at App/Services.swift:2.
      Resolution path: Invoices -> Mailer
      Override it for the test, or remove what resolves it.
      """
    // end
    #expect(text == expected)
  }

  @Test func frozen() async throws {
    let app = Container(name: "app")
    let text = try await message {
      // snippet: errors frozen
      await app.freeze()
      try await app.register(Mailer.self) { _ in Mailer() }
      // end
    }
    try await app.withOverrides {
      Registration(autowired: Mailer.self) { Mailer() }
    } operation: {
      _ = try await app.resolve(Mailer.self)
    }
    // output: errors frozen
    let expected = """
      The registry of container "app" is frozen: Mailer can no longer be registered, decorated or rebuilt.
      Make the change before freeze(), or register in a child container.
      """
    // end
    #expect(text == expected)
  }

  @Test func invalidRegistration() async throws {
    let app = Container(name: "app")
    let text = try await message {
      // snippet: errors invalidRegistration
      try await app.register {
        Registration(autowired: Mailer.self, scope: .transient) { Mailer() }.eager()
      }
      // end
    }
    // output: errors invalidRegistration
    let expected = """
      The registration of Mailer is invalid.
      It is eager, but the scope transient keeps no instance. Give it a scope that keeps instances, or remove eager(). \
      It is registered at App/Services.swift:2.
      """
    // end
    #expect(text == expected)
  }

  @Test func notRegistered() async throws {
    let text = try await message {
      // snippet: errors notRegistered
      let app = Container(name: "app") {
        Registration(autowired: Invoices.self, initializer: Invoices.init)  // takes a mailer
        Registration(autowired: Mailer.self) { Mailer() }.key("smtp")
      }
      _ = try await app.resolve(Invoices.self)
      // end
    }
    // output: errors notRegistered
    let expected = """
      Mailer is not registered in container "app".
      Resolution path: Invoices -> Mailer
      Registered: Mailer["smtp"]
      A parameter is resolved without a key. Resolve it by its key in a factory closure.
      If the parameter has a default value: autowiring ignores it. Register Invoices with a factory closure.
      """
    // end
    #expect(text == expected)
  }

  @Test func scopeNotFound() async throws {
    let text = try await message {
      // snippet: errors scopeNotFound
      let app = Container(name: "app") {
        Registration(autowired: Transaction.self, scope: .scoped("request")) { Transaction() }
      }
      let session = app.makeChild(name: "session")
      _ = try await session.resolve(Transaction.self)
      // end
    }
    // output: errors scopeNotFound
    let expected = """
      Transaction was resolved outside of its scope.
      Its scope is scoped("request"). No container of that name was found. Searched: "session", "app".
      Resolve it inside withScope of that name, or from a child container of that name.
      """
    // end
    #expect(text == expected)
  }

  @Test func tooDeep() async throws {
    let text = try await message {
      let app = Container {
        for number in 0..<20_000 {
          Registration(Int.self) { r in try r.resolve(Int.self, key: number + 1) }.key(number)
        }
      }
      _ = try await onThread(stackSize: 512 << 10) { try app.resolve(Int.self, key: 0) }
    }
    // output: errors tooDeep
    let expected = """
      The chain of dependencies that leads to Int[Int(959)] is too deep: 960 services.
      Resolution path: Int[Int(0)] -> Int[Int(1)] -> Int[Int(2)] -> … 954 more … -> Int[Int(957)] -> Int[Int(958)] -> Int[Int(959)]
      Resolve it with 'try await' from asynchronous factories, which need no stack, or shorten the chain.
      """
    // end
    // The depth depends on the stack of the thread.
    let depth = try #require(text.firstMatch(of: /too deep: (\d+) services/).flatMap { Int($0.1) })
    #expect(text == expected.replacing(/\d{3}/) { "\((Int($0.0) ?? 0) - 960 + depth)" })
  }

  @Test func injected() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct Checkout {
        @Injected var mailer: Mailer
      }
      _ = Checkout().mailer
    }
    // output: errors injected
    let expected = """
      App/Services.swift:2: Fatal error: @Injected App.Mailer cannot be resolved.
      Mailer is not registered in container "root".
      Container.root was asked, as it is where no container is current. Keep the result of activate() as long as the program \
      runs, use withCurrent(_:operation:), or name the container: @Injected(from:).
      """
    // end
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    let shown = text.replacing(/\w+\/Errors\.swift:\d+/, with: "App/Services.swift:2")
      .replacing(/\w+\.Errors\.Mailer/, with: "App.Mailer")
    #expect(shown.contains(expected))
  }

  @Test func shutdown() async throws {
    let text = try await message(ShutdownError.self) {
      let app = Container(name: "app") {
        Registration(autowired: Mailer.self, scope: .singleton) { Mailer() }
          .onDispose { _ in throw Refused() }
      }
      _ = try await app.resolve(Mailer.self)
      try await app.shutdown(timeout: .seconds(10))
    }
    // output: errors shutdown
    let expected = """
      1 failure when container "app" was closed:
      - Mailer in container "app" could not be disposed of: Refused()
      """
    // end
    #expect(text == expected)
  }

  @Test func validation() async throws {
    let text = try await message(ValidationError.self) {
      // The initialiser takes a mailer.
      let app = Container(name: "app") {
        Registration(autowired: Invoices.self, initializer: Invoices.init)
      }
      _ = try await app.validate()
    }
    // output: errors validation
    let expected = """
      1 problem in container "app":
      - App/Services.swift:2: Mailer is not registered in container "app", but needed: Invoices -> Mailer. \
      Register it, or take it as an optional.
      """
    // end
    #expect(text == expected)
  }

  @Test func unimplemented() async throws {
    let app = Container(name: "app") {
      Registration(autowired: Invoices.self, initializer: Invoices.init)
    }
    // output: errors unimplemented
    let expected = """
      Mailer is not implemented for this test, but was resolved. Resolution path: Invoices -> Mailer
      """
    // end
    try await withKnownIssue {
      let text = try await message(UnimplementedServiceError.self) {
        try await app.withOverrides {
          Registration.unimplemented(Mailer.self)
        } operation: {
          _ = try await app.resolve(Invoices.self)
        }
      }
      #expect(text == expected)
    } matching: {
      $0.error is UnimplementedServiceError
    }
  }

  @Test func handling() async throws {
    let app = Container(name: "app") { Registration(autowired: Mailer.self) { Mailer() }.key("smtp") }
    var notes: [String] = []
    // snippet: errors handling
    do {
      _ = try await app.resolve(Mailer.self)
    } catch let error as ResolutionError
      where error.code == .notRegistered && error.is(Mailer.self)
    {
      notes.append("no mailer; registered: \(error.suggestions)")
    }
    // end
    #expect(notes == ["no mailer; registered: [\"Mailer[\\\"smtp\\\"]\"]"])
  }
}
