import ActorDI
import ActorDITestSupport
import Testing

@globalActor private actor DatabaseActor {
  static let shared = DatabaseActor()
}

@DatabaseActor private final class Cache {
  init() { DatabaseActor.shared.assertIsolated() }
}

private actor Index {
  init(path: String) async throws { await Task.yield() }
}

@MainActor private final class Screen {
  let index: Index
  init(index: Index) { self.index = index }
}

private final class Search: Sendable {
  let index: Index
  init(index: Index) { self.index = index }
}

private struct Offline: Error {}

private enum Trace {
  @TaskLocal static var id: String?
}

private final class Span: Sendable {
  let trace: String?
  init(trace: String?) async { self.trace = trace }
}
private final class Exporter: Sendable {
  let trace: String?
  init(trace: String?) async { self.trace = trace }
}

private final class Orders: Sendable {
  init(stock: Stock) {}
}
private final class Stock: Sendable {
  init(orders: Orders) {}
}

/// What the article "Concurrency" shows.
@Suite("Concurrency", .timeLimit(.minutes(5)))
struct ConcurrencyArticle {
  // snippet: concurrency parser
  final class Parser {  // not Sendable
    var line = 1
  }
  // end

  @Test func factories() async throws {
    // snippet: concurrency factories
    let app = Container {
      Registration(Parser.self) { _ in Parser() }  // on the caller's thread
      // In a task of the container.
      Registration(autowired: Index.self, scope: .singleton) { try await Index(path: "notes") }
      Registration(Screen.self, scope: .singleton) { @MainActor r in
        Screen(index: try await r.resolve())
      }
      Registration(Cache.self, scope: .singleton) { @DatabaseActor _ async in Cache() }
    }
    // end
    let screen = try await app.resolve(Screen.self)
    #expect(try await app.resolve(Index.self) === screen.index)
    _ = try await app.resolve(Cache.self)
    // snippet: concurrency sending
    let parser = try await app.resolve(Parser.self)
    let reading = Task {
      parser.line += 1  // may move to another task: nothing else refers to it
      return parser.line
    }
    // end
    #expect(await reading.value == 2)
  }

  @Test func bothForms() async throws {
    let app = Container {
      Registration(autowired: Index.self, scope: .singleton) { try await Index(path: "notes") }
      // snippet: concurrency suspending
      Registration(Search.self) { r in Search(index: try r.resolve()) }
        .suspending { r in Search(index: try await r.resolve()) }
        .dependsOn(Index.self)
      // end
    }
    let search = try await app.resolve(Search.self)
    #expect(try await app.resolve(Index.self) === search.index)
  }

  // snippet: concurrency main actor types
  @MainActor final class Editor {
    let title: String
    init(title: String) { self.title = title }
  }

  @MainActor final class Toolbar {
    let editor: Editor
    init(editor: Editor) { self.editor = editor }
  }
  // end

  @Test func theMainActor() async throws {
    // snippet: concurrency main actor
    let app = Container {
      Registration(autowired: String.self) { "Notes" }
      Registration(Editor.self, scope: .singleton) { @MainActor r in
        Editor(title: try r.resolve())
      }
      Registration(autowired: Toolbar.self, initializer: Toolbar.init)
    }
    let toolbar = try await app.resolve(Toolbar.self)  // from any task
    // end
    #expect(toolbar.editor === (try await app.resolve(Editor.self)))
    #expect(try await title(in: app) == "Notes")
  }

  // snippet: concurrency main thread
  @MainActor func title(in app: Container) throws -> String {
    try app.resolve(Editor.self).title
  }
  // end

  // snippet: concurrency actor
  actor Inbox {
    private(set) var messages: [String] = []
    func add(_ message: String) { messages.append(message) }
  }
  // end

  @Test func actors() async throws {
    // snippet: concurrency actor as service
    let app = Container {
      Registration(autowired: Inbox.self, scope: .singleton) { Inbox() }
    }
    try await app.resolve(Inbox.self).add("Hello")
    // end
    #expect(try await app.resolve(Inbox.self).messages == ["Hello"])
  }

  @Test func synchronousResolves() async throws {
    // snippet: concurrency synchronous
    let app = Container {
      Registration(autowired: Index.self, scope: .singleton) { try await Index(path: "notes") }
        .eager()
      // Search.init takes an Index.
      Registration(autowired: Search.self, scope: .singleton, initializer: Search.init)
    }

    @Sendable func search() throws -> Search { try app.resolve() }

    let error = #expect(throws: ResolutionError.self) { try search() }
    #expect(error?.code == .asyncRequired)
    // end
    // output: concurrency asyncRequired
    let text = """
      Index is built asynchronously, and was resolved by synchronous code.
      Resolution path: Search -> Index
      Resolve it with 'try await' first; once it is built and kept, synchronous code finds it.
      In the top-level code of main.swift, the compiler chooses the synchronous form even after 'try await': \
      move the code into an asynchronous function.
      """
    // end
    #expect(error?.description == text)
    // snippet: concurrency start
    try await app.start()
    let ready = try search()
    // end
    #expect(try await app.resolve(Index.self) === ready.index)
  }

  @Test func cancellation() async throws {
    let (gate, builds) = (Gate(), Counter())
    let app = Container {
      Registration(autowired: Index.self, scope: .singleton) {
        builds.increment()
        await gate.wait()
        return try await Index(path: "notes")
      }
    }
    // snippet: concurrency cancellation
    let patient = Task { try await app.resolve(Index.self) }
    let impatient = Task { try await app.resolve(Index.self) }
    impatient.cancel()
    await #expect(throws: CancellationError.self) { try await impatient.value }
    // end
    gate.open()
    let index = try await patient.value
    #expect(try await app.resolve(Index.self) === index && builds.count == 1)
  }

  @Test func retries() async throws {
    // snippet: concurrency retry
    let attempts = Counter()
    let app = Container {
      Registration(autowired: Index.self, scope: .singleton) {
        if attempts.increment() == 1 { throw Offline() }
        return try await Index(path: "notes")
      }
    }
    await #expect(throws: Offline.self) { try await app.resolve(Index.self) }
    let index = try await app.resolve(Index.self)  // the second attempt
    // end
    #expect(try await app.resolve(Index.self) === index && attempts.count == 2)
  }

  @Test func taskLocals() async throws {
    // snippet: concurrency task-locals
    let app = Container {
      Registration(autowired: Span.self) { await Span(trace: Trace.id) }
      Registration(autowired: Exporter.self, scope: .singleton) { await Exporter(trace: Trace.id) }
    }
    try await Trace.$id.withValue("42") {
      let span = try await app.resolve(Span.self)
      let exporter = try await app.resolve(Exporter.self)
      #expect(span.trace == "42" && exporter.trace == nil)
    }
    // end
  }

  @Test func cycles() async throws {
    let begun = Counter()
    @Sendable func bothHaveBegun() async {
      begun.increment()
      await begun.wait(for: 2)
    }
    // snippet: concurrency cycles
    let app = Container {
      Registration(Orders.self, scope: .singleton) { r in
        await bothHaveBegun()
        return Orders(stock: try await r.resolve())
      }
      Registration(Stock.self, scope: .singleton) { r in
        await bothHaveBegun()
        return Stock(orders: try await r.resolve())
      }
    }
    // Orders needs Stock, which the other task builds.
    let orders = Task { try await app.resolve(Orders.self) }
    let stock = Task { try await app.resolve(Stock.self) }  // needs Orders
    let error = await #expect(throws: ResolutionError.self) { try await orders.value }
    #expect(error?.code == .cycle)
    // end
    await #expect(throws: ResolutionError.self) { try await stock.value }
    let paths = [["Orders", "Stock", "Orders"], ["Stock", "Orders", "Stock"]]
    #expect(try paths.contains(#require(error).path))
  }
}
