import ActorDI
import ActorDIInspector
import Foundation
import Testing

/// The documented schema of the JSON.
struct InspectorDocument: Decodable {
  struct Named: Decodable {
    let name: String
    let id: UInt64
  }

  struct Counts: Decodable {
    let instances: Int
    let builds: Int
    let scopes: Int
  }

  struct Graph: Decodable {
    struct Node: Decodable {
      let id: Int
      let name: String
      let service: String
      let module: String
      let implementation: String?
      let key: String?
      let scope: String?
      let kind: String
    }

    struct Edge: Decodable {
      let from: Int
      let to: Int
    }

    let containers: [String]
    let nodes: [Node]
    let edges: [Edge]
  }

  struct Instance: Decodable {
    let node: Int?
    let name: String
    let type: String
    let scope: String
    let container: String
    let containerID: UInt64
    let age: Double?
    let buildDuration: Double?
  }

  struct OpenScope: Decodable {
    let id: UInt64
    let name: String
    let container: String
    let age: Double
    let uses: Int
    let idleFor: Double?
    let key: String?
  }

  struct ScopeName: Decodable {
    let name: String
    let count: Int
    let idle: Int
    let age: Double
  }

  struct Event: Decodable {
    let kind: String
    let node: Int?
    let name: String?
    let scope: String?
    let container: String
    let containerID: UInt64
    let age: Double
    let duration: Double?
    let outcome: String?
    let path: [String]
    let error: String?

    var text: String { ([kind, name] as [String?]).compactMap { $0 }.joined(separator: " ") }
  }

  struct Problem: Decodable {
    let code: String
    let kind: String
    let text: String
    let path: [String]
    let container: String
    let source: String
  }

  let container: Named
  let counts: Counts
  let graph: Graph
  let instances: [Instance]
  let builds: [Event]
  let scopes: [OpenScope]
  let scopeNames: [ScopeName]
  let events: [Event]
  let failures: [Event]
  let problems: [Problem]

  init(_ inspector: ContainerInspector, _ container: Container) throws {
    self = try JSONDecoder().decode(InspectorDocument.self, from: Data(inspector.json(of: container).utf8))
  }
}

/// A service that only asynchronous code can make.
private final class Suspending: Sendable {
  init() async {}
}

private final class Assembled: Sendable {
  init(part: Suspending) {}
}

@Suite("ContainerInspector", .timeLimit(.minutes(2)))
struct ContainerInspectorTests {
  private let inspector = ContainerInspector(eventLimit: 8)

  // MARK: The state

  @Test func showsAnApplication() async throws {
    let app = makeNotes(inspector)
    try await app.start()
    let state = try InspectorDocument(inspector, app)
    #expect(state.container.name == "notes" && state.container.id == app.id)
    #expect(state.graph.nodes.count == 17 && state.problems.isEmpty)
    let node = state.graph.nodes.first { $0.name == "any Database" }
    #expect(node?.implementation == "ActorDIInspectorTests.SQLiteDatabase")
    #expect(state.instances.map(\.name) == ["SQLiteDatabase", "Config", "URL[\"storage\"]"])
    for instance in state.instances {
      let node = try #require(instance.node.map { state.graph.nodes[$0] })
      #expect(node.name == instance.name && node.scope == instance.scope && instance.containerID == app.id)
    }
    let database = try #require(state.instances.first)
    #expect(try #require(database.age) >= 0 && #require(database.buildDuration) > 0)
    // A registered instance was not built.
    #expect(state.instances.last?.age == nil)
    #expect(
      state.events.map(\.text) == [
        "created SQLiteDatabase", "created Config", "building Config", "building SQLiteDatabase",
      ])
    #expect(state.events[1].path == ["SQLiteDatabase", "Config"])
    #expect(state.builds.isEmpty && state.failures.isEmpty && state.scopes.isEmpty)
  }

  @Test func showsAnEmptyContainer() throws {
    let state = try InspectorDocument(inspector, Container(name: ""))
    #expect(state.graph.nodes.isEmpty && state.instances.isEmpty && state.events.isEmpty && state.problems.isEmpty)
  }

  @Test func showsAContainerThatIsShutDown() async throws {
    let app = makeNotes(inspector)
    try await app.start()
    try await app.shutdown()
    let state = try InspectorDocument(inspector, app)
    // It has dropped its registrations, also those of given instances.
    #expect(state.instances.isEmpty && state.counts.instances == 0 && state.graph.nodes.isEmpty)
    #expect(state.events.first?.text == "disposed SQLiteDatabase")
  }

  @Test func showsOpenScopesAndTheirEnds() async throws {
    let app = makeNotes(inspector)
    await #expect(throws: Refused.self) {
      try await app.withScope("request") { request in
        try await request.withScope("inner") { _ in
          let state = try InspectorDocument(inspector, app)
          #expect(
            state.scopes.map(\.name) == ["request", "inner"] && state.scopes.map(\.container) == ["notes", "request"])
          #expect(state.scopes.first?.id == request.id && state.counts.scopes == 2)
          #expect(state.scopes.allSatisfy { $0.age >= 0 && $0.uses == 1 && $0.idleFor == nil && $0.key == nil })
          #expect(state.scopeNames.map(\.idle) == [0, 0])
        }
        throw Refused()
      }
    }
    let state = try InspectorDocument(inspector, app)
    #expect(state.scopes.isEmpty && state.scopeNames.isEmpty)
    #expect(state.events.map(\.text) == ["closed", "closed", "opened", "opened"])
    #expect(state.events.map(\.outcome) == ["failed", "completed", nil, nil])
    #expect(state.failures.map(\.container) == ["request"])
  }

  @Test func scopesByKeyDisplaceNoRequests() async throws {
    let app = makeNotes(inspector)
    let users: KeyedScopes<Int> = app.keyedScopes("user", idleFor: .seconds(600))
    for user in 0..<600 { try await users.withScope(user) { _ in } }
    try await users.withScope(7) { (user: Container) async throws in
      try await user.withScope("request") { (request: Container) async throws in
        let state = try InspectorDocument(inspector, app)
        #expect(state.counts.scopes == 601 && state.scopes.count == 501)
        #expect(state.scopes.last?.id == request.id && state.scopes.last?.container == "user")
        #expect(state.scopeNames.map(\.name) == ["user", "request"] && state.scopeNames.map(\.count) == [600, 1])
        #expect(state.scopeNames.map(\.idle) == [599, 0])
        #expect(state.scopeNames.map(\.age) == [state.scopes.first?.age, state.scopes.last?.age])
      }
    }
    try await app.shutdown()
    #expect(try InspectorDocument(inspector, app).scopes.isEmpty)
  }

  @Test func showsTheUsesOrTheIdleTimeOfScopesByKey() async throws {
    let app = makeNotes(inspector)
    let users: KeyedScopes<Int> = app.keyedScopes("user", idleFor: .seconds(600))
    for user in 1...3 { try await users.withScope(user) { _ in } }
    try await users.withScope(2) { (_: Container) async throws in
      try await users.withScope(2) { (_: Container) async throws in
        let state = try InspectorDocument(inspector, app)
        let scopes = state.scopes.sorted { $0.id < $1.id }
        #expect(scopes.map(\.uses) == [0, 2, 0])
        #expect(scopes.map { $0.idleFor == nil } == [false, true, false])
        #expect(scopes.allSatisfy { $0.idleFor ?? 0 >= 0 })
        #expect(state.scopeNames.map(\.count) == [3] && state.scopeNames.map(\.idle) == [2])
      }
    }
    #expect(try InspectorDocument(inspector, app).scopeNames.map(\.idle) == [3])
    try await app.shutdown()
  }

  @Test func showsProblems() throws {
    let app = Container {
      Registration(autowired: Janitor.self, scope: .singleton, initializer: Janitor.init)
    }
    let state = try InspectorDocument(inspector, app)
    #expect(
      state.problems.map(\.path) == [["Janitor", "any Database"], ["Janitor", "Clock"], ["Janitor", "Mailer"]])
    #expect(state.problems.map(\.code) == ["ADI001", "ADI001", "ADI001"])
    #expect(state.problems.first?.source.hasPrefix("ActorDIInspectorTests/InspectorTests.swift:") == true)
    #expect(state.graph.nodes.map(\.kind) == ["registration", "missing", "missing", "missing"])
  }

  @Test func showsInstancesOfParents() async throws {
    let parent = makeNotes(inspector)
    _ = try await parent.resolve(Config.self)
    let child = parent.makeChild(name: "child") { Registration(instance: 5) }
    let state = try InspectorDocument(inspector, child)
    #expect(state.instances.map(\.container) == ["child", "notes", "notes"])
    #expect(state.instances.map(\.name) == ["Int", "Config", "URL[\"storage\"]"])
  }

  @Test func aKeyOfAnotherTypeIsAnotherService() async throws {
    let app = Container(configuration: .init(observer: inspector)) {
      Registration<Int>.keyed(1, scope: .singleton, 1)
      Registration<Int>.keyed(1 as UInt8, scope: .singleton, 2)
      Registration(Int.self, scope: .singleton) { (_, number: Int) in number }.key(1)
    }
    _ = try await app.resolve(Int.self, key: 1 as UInt8)
    _ = try await app.resolve(Int.self, key: 1, arguments: 7)
    let state = try InspectorDocument(inspector, app)
    #expect(state.instances.map(\.node) == [1, 2])
    #expect(state.events.compactMap(\.node) == [2, 2, 1, 1])
  }

  // MARK: Builds in flight

  @Test func showsBuildsInFlight() async throws {
    let (inspector, began) = (self.inspector, AsyncStream<Void>.makeStream())
    let mayEnd = AsyncStream<Void>.makeStream()
    let app = Container(name: "app", configuration: .init(observer: inspector)) {
      Registration(Config.self, scope: .singleton) { _ async in
        began.continuation.yield()
        for await _ in mayEnd.stream { break }
        return Config()
      }
      Registration(autowired: Mailer.self, initializer: Mailer.init)
    }
    async let mailer = app.resolve(Mailer.self)
    for await _ in began.stream { break }
    let state = try InspectorDocument(inspector, app)
    #expect(state.builds.map(\.text) == ["building Mailer", "building Config"])
    #expect(state.builds.last?.path == ["Mailer", "Config"] && state.counts.builds == 2)
    mayEnd.continuation.yield()
    _ = try await mailer
    #expect(try InspectorDocument(inspector, app).builds.isEmpty)
  }

  @Test func aFailedBuildHasEnded() async throws {
    let app = makeNotes(inspector)
    await #expect(throws: Refused.self) { try await app.resolve(Int.self, key: "port") }
    let state = try InspectorDocument(inspector, app)
    #expect(state.builds.isEmpty && state.failures.map(\.text) == ["failed Int[\"port\"]"])
  }

  @Test func aBuildThatSynchronousCodeCannotFinishRemains() async throws {
    let app = makeNotes(inspector)
    func resolveSynchronously<Service: Sendable>(_ service: Service.Type, in container: Container) throws {
      _ = try container.resolve(service)
    }
    #expect(throws: ResolutionError.self) { try resolveSynchronously(Janitor.self, in: app) }
    #expect(try InspectorDocument(inspector, app).builds.map(\.text) == ["building Janitor"])
    _ = try await app.resolve(Janitor.self)
    #expect(try InspectorDocument(inspector, app).builds.isEmpty)

    let others = ContainerInspector()
    let other = makeNotes(others)
    try await other.withScope("request") { (request: Container) async throws -> Void in
      #expect(throws: ResolutionError.self) { try resolveSynchronously(UnitOfWork.self, in: request) }
      #expect(try InspectorDocument(others, other).builds.map(\.text) == ["building UnitOfWork"])
    }
    #expect(try InspectorDocument(others, other).builds.isEmpty)
  }

  @Test func buildsThatNobodyContinuesAreNotRemembered() async throws {
    let app = Container(configuration: .init(observer: inspector)) {
      Registration(autowired: Assembled.self, scope: .graph, initializer: Assembled.init)
      Registration(autowired: Suspending.self, initializer: Suspending.init)
    }
    func assemble(in container: Container) throws { _ = try container.resolve(Assembled.self) }
    for _ in 0..<100 {
      #expect(throws: ResolutionError.self) { try assemble(in: app) }
      let child = app.makeChild {
        Registration(autowired: Assembled.self, scope: .singleton, initializer: Assembled.init)
      }
      #expect(throws: ResolutionError.self) { try assemble(in: child) }
      try await child.shutdown()
    }
    #expect(try InspectorDocument(inspector, app).counts.builds == 0)
  }

  // MARK: Events

  @Test func eventsAreBounded() async throws {
    let app = Container(configuration: .init(observer: inspector)) {
      Registration(Config.self) { _ in Config() }
      Registration(Int.self) { _ in throw Refused() }
    }
    _ = try? await app.resolve(Int.self)
    for _ in 0..<100 { _ = try await app.resolve(Config.self) }
    let state = try InspectorDocument(inspector, app)
    #expect(
      state.events.map(\.text) == Array(repeating: ["created Config", "building Config"], count: 4).joined().map { $0 })
    #expect(state.events.map(\.age) == state.events.map(\.age).sorted())
    #expect(state.failures.map(\.text) == ["failed Int"], "other events displace no failure")
  }

  @Test(arguments: [0, -1]) func anInspectorWithoutRoomRecordsNothing(limit: Int) async throws {
    let inspector = ContainerInspector(eventLimit: limit)
    let app = makeNotes(inspector)
    _ = try? await app.resolve(Int.self, key: "port")
    let state = try InspectorDocument(inspector, app)
    #expect(state.events.isEmpty && state.failures.isEmpty && state.builds.isEmpty)
  }

  @Test func aContainerWithoutTheInspectorIsShownAsFarAsItIsKnown() async throws {
    let app = Container { Registration(Config.self, scope: .singleton) { _ in Config() } }
    _ = try await app.resolve(Config.self)
    let state = try InspectorDocument(inspector, app)
    #expect(state.instances.map(\.name) == ["Config"] && state.instances.first?.age == nil && state.events.isEmpty)
  }

  @Test func concurrentUse() async throws {
    let app = makeNotes(inspector)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask { [inspector] in
          for _ in 0..<20 {
            if task < 2 {
              let state = try InspectorDocument(inspector, app)
              #expect(state.events.count <= 8 && state.failures.count <= 8)
            } else {
              try await app.withScope("request") {
                Registration(instance: Request())
              } operation: { request in
                _ = try await request.resolve(NotesHandler.self)
                _ = try? await request.resolve(Int.self, key: "port")
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let state = try InspectorDocument(inspector, app)
    #expect(state.builds.isEmpty && state.scopes.isEmpty && state.events.count == 8 && state.failures.count == 8)
  }

  @Test func recordsKeepNoErrorAlive() async throws {
    final class Payload: Sendable {}
    struct Heavy: Error { let payload: Payload }
    weak var kept: Payload?
    let app = Container(configuration: .init(observer: inspector)) {
      Registration(Config.self) { (_, payload: Payload) in throw Heavy(payload: payload) }
    }
    do {
      let payload = Payload()
      kept = payload
      _ = try? await app.resolve(Config.self, arguments: payload)
    }
    #expect(kept == nil)
    #expect(try InspectorDocument(inspector, app).failures.count == 1)
  }

  // MARK: Secrets and odd texts

  @Test func neitherInstancesNorArgumentsNorForeignErrorsAreShown() async throws {
    struct Secret: CustomStringConvertible { var description: String { "swordfish" } }
    struct Leak: Error, CustomStringConvertible { var description: String { "password swordfish" } }
    let app = Container(configuration: .init(observer: inspector)) {
      Registration(instance: Secret())
      Registration(instance: "swordfish").key("password")
      Registration(Int.self, scope: .singleton) { (_, _: String) in 1 }.perArguments()
      Registration(Bool.self) { _ in throw Leak() }
    }
    _ = try await app.resolve(Int.self, arguments: "swordfish")
    _ = try? await app.resolve(Bool.self)
    _ = try? await app.withScope("s") { _ in throw Leak() }
    let text = inspector.json(of: app)
    #expect(!text.contains("swordfish"))
    let state = try InspectorDocument(inspector, app)
    #expect(state.instances.count == 3 && state.failures.count == 2)
    #expect(state.failures.allSatisfy { $0.error?.hasSuffix(".Leak") == true })
  }

  @Test func errorTextsAreShownOnRequest() async throws {
    let inspector = ContainerInspector(showsErrorTexts: true)
    let app = makeOdd(inspector)
    _ = try? await app.resolve(Int.self, key: "'")
    #expect(try InspectorDocument(inspector, app).failures.map(\.error) == ["Odd: '"])
  }

  @Test(arguments: [false, true]) func keysOfScopesAreShownOnRequest(isRequested: Bool) async throws {
    let inspector = isRequested ? ContainerInspector(showsKeys: true) : self.inspector
    let app = makeNotes(inspector)
    let users: KeyedScopes<String> = app.keyedScopes("user", idleFor: .seconds(600))
    for user in ["swordfish"] + oddTexts { try await users.withScope(user) { _ in } }
    try await app.withScope("request") { (_: Container) async throws in
      let text = inspector.json(of: app)
      let state = try InspectorDocument(inspector, app)
      #expect(state.scopes.count == oddTexts.count + 2)
      #expect(Set(state.scopes.map(\.key)) == (isRequested ? Set(oddTexts + ["swordfish", nil]) : [nil]))
      #expect(text.contains("swordfish") == isRequested)
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    }
    try await app.shutdown()
  }

  @Test func keysOfAnyTypeAreDescribed() async throws {
    let inspector = ContainerInspector(showsKeys: true)
    let app = Container(configuration: .init(observer: inspector))
    let numbers: KeyedScopes<Int> = app.keyedScopes("number", idleFor: .seconds(600))
    let optionals: KeyedScopes<Int?> = app.keyedScopes("optional", idleFor: .seconds(600))
    try await numbers.withScope(7) { _ in }
    try await optionals.withScope(nil) { _ in }
    #expect(try Set(InspectorDocument(inspector, app).scopes.map(\.key)) == ["7", "nil"])
    try await app.shutdown()
  }

  @Test func theContainersOwnErrorsAreShown() async throws {
    let app = Container(configuration: .init(observer: inspector)) {
      Registration(Mailer.self) { r in Mailer(config: try await r.resolve()) }
    }
    _ = try? await app.resolve(Mailer.self)
    #expect(try InspectorDocument(inspector, app).failures.first?.error?.hasPrefix("Config is not registered") == true)
  }

  @Test func oddTextsArePreserved() async throws {
    let inspector = ContainerInspector(showsErrorTexts: true)
    let app = makeOdd(inspector)
    for text in oddTexts { _ = try? await app.resolve(Int.self, key: text) }
    for text in oddTexts { _ = try await app.resolve(String.self, key: text) }
    let state = try InspectorDocument(inspector, app)
    #expect(state.container.name == "odd <i>&\"")
    #expect(state.failures.map(\.error) == oddTexts.reversed().map { "Odd: \($0)" })
    #expect(state.instances.map(\.name) == oddTexts.map { "String[\"\($0)\"]" })
    #expect(state.instances.map(\.scope) == oddTexts.map { "managed(\"\($0)\")" })
    #expect(state.problems.map(\.path.last) == oddTexts.map { "Bool[\"\($0)\"]" })
    #expect(!inspector.json(of: app).unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
  }

  @Test func showsAThousandServices() async throws {
    let shop = makeShop(services: 1000, inspector)
    _ = try await shop.resolve(Shop.Repository.self, key: 3)
    let state = try InspectorDocument(inspector, shop)
    #expect(state.graph.nodes.count == 1000 && state.problems.isEmpty)
    #expect(state.instances.map(\.name) == ["Repository[3]"])
  }

  // MARK: The page

  @Test func thePageNamesTheAddressOfTheState() {
    #expect(ContainerInspector.page().contains("<html lang=\"en\" data-state=\"inspector.json\">"))
    let page = ContainerInspector.page(stateURL: "a?b=\"<&>\"")
    #expect(page.contains("data-state=\"a?b=&quot;&lt;&amp;&gt;&quot;\""))
    #expect(page.hasPrefix("<!doctype html>") && page.hasSuffix("</html>\n"))
  }

  @Test func thePageNeedsNoOtherFileAndWritesNoMarkup() {
    let page = ContainerInspector.page()
    #expect(page.matches(of: #/<script/#).count == 1 && page.matches(of: #/<style/#).count == 1)
    for forbidden in [
      "innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", " style=", "https:", "@import", "url(http",
      " src=",
    ] {
      #expect(!page.contains(forbidden), "\(forbidden)")
    }
    // The name of SVG, which no browser loads.
    #expect(page.matches(of: #/http:\/\/[^"]*/#).map { String($0.0) } == ["http://www.w3.org/2000/svg"])
  }

  @Test func thePolicyIsOneLine() {
    let policy = ContainerInspector.contentSecurityPolicy
    #expect(
      policy.hasPrefix("default-src 'none'; script-src 'sha256-") && !policy.contains("\n")
        && !policy.contains("unsafe"))
  }
}
