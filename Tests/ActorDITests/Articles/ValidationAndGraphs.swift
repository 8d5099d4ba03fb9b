import ActorDITestSupport
import ActorDITesting
import Foundation
import Testing

@testable import ActorDI

/// What the article of this name shows.
@Suite("Validation and graphs")
struct ValidationAndGraphs {
  actor Database { init() async throws {} }
  final class Mailer: Sendable {}
  final class Profile: Sendable {}
  final class Cache: Sendable { init(profile: Profile) {} }
  final class Search: Sendable { init(database: Database) {} }
  final class Reports: Sendable { init(database: Database, mailer: Mailer) {} }
  final class Accounts: Sendable { init(users: Users) {} }
  final class Users: Sendable { init(accounts: Accounts) {} }

  enum AppContainer {
    static func make() -> Container {
      Container(name: "app") {
        Registration(autowired: Database.self, scope: .singleton, initializer: Database.init)
        Registration(autowired: Search.self, scope: .singleton, initializer: Search.init)
      }
    }
  }

  // snippet: validation test
  @Test func everythingCanBeBuilt() throws {
    let report = try AppContainer.make().validate()
    #expect(report.opaque.isEmpty)
  }
  // end

  struct InOneLine {
    // snippet: validation in one line
    @Test func everythingCanBeBuilt() async {
      await AppContainer.make().validated()
    }
    // end
  }

  @Test func whatItFinds() throws {
    let start = #line
    // snippet: validation problems
    let app = Container(name: "app") {
      Registration(autowired: Database.self, scope: .singleton, initializer: Database.init)
      Registration(autowired: Reports.self, initializer: Reports.init)
      Registration(autowired: Mailer.self) { Mailer() }.key("smtp")

      Registration(autowired: Accounts.self, scope: .singleton, initializer: Accounts.init)
      Registration(autowired: Users.self, scope: .singleton, initializer: Users.init)

      Registration(autowired: Profile.self, scope: .scoped("request")) { Profile() }
      Registration(autowired: Cache.self, scope: .singleton, initializer: Cache.init)

      Registration(Search.self) { r in Search(database: try r.resolve()) }
        .dependsOn(Database.self)
      Registration(autowired: String.self) { (_: Database) in "by database" }
      Registration(autowired: String.self) { (_: Cache) in "by cache" }.alternative()

      Registration(autowired: Int.self, scope: .transient) { 8080 }
        .timeToLive(.seconds(60))
    }
    // end
    let error = try #require(#expect(throws: ValidationError.self) { try app.validate() })
    // output: validation message
    let text = """
      6 problems in container "app":
      - App/Services.swift:3: Mailer is not registered in container "app", but needed: Reports \
      -> Mailer. Registered: Mailer["smtp"]. A parameter is resolved without a key. Resolve it by \
      its key in a factory closure.
      - App/Services.swift:6: Dependency cycle detected: Accounts -> Users -> Accounts. Let one of \
      them take a Lazy or Provider, or set the reference in an onCreated hook of the service whose \
      initialiser takes the other one.
      - App/Services.swift:10: Captive dependency: Cache (singleton) would hold Profile \
      (scoped("request")) beyond its end: Cache -> Profile. Give Cache a scope that ends no \
      later, or resolve Profile in its scope and pass it as an argument.
      - App/Services.swift:12: Search has a synchronous factory, but depends on a service that \
      is built asynchronously: Search -> Database. Make the factory asynchronous, or autowire \
      the initialiser.
      - App/Services.swift:15: Several registrations fit String equally well. Candidates: \
      (Database) at App/Services.swift:14; (Cache) at App/Services.swift:15. Remove one of \
      them, or give it a key or another parameter that can be satisfied.
      - App/Services.swift:17: The registration of Int is invalid. It has a time to live, but \
      the scope transient keeps no instance. Give it a scope that keeps instances, or remove \
      timeToLive(_:). It is registered at App/Services.swift:17.
      """
    // end
    #expect(shown(error, from: start) == text)
    #expect(
      error.problems.map(\.kind) == [
        .missingDependency, .cycle, .captiveDependency, .asyncRequired, .ambiguous, .faultyRegistration,
      ])
    #expect(error.opaque.isEmpty)
  }

  /// The error, as it would be if the snippet, which begins after a line of this file, were all of a file of the app's.
  private func shown(_ error: ValidationError, from start: Int) -> String {
    "\(error)".replacing(/ActorDIArticlesTests\/ValidationAndGraphs\.swift:(\d+)/) { match in
      "App/Services.swift:\((Int(match.1) ?? 0) - start - 1)"
    }
  }

  @Test func opaqueClosures() throws {
    // snippet: validation opaque
    let app = Container {
      Registration(autowired: Database.self, scope: .singleton, initializer: Database.init)
      Registration(Search.self, scope: .singleton) { r in
        try await Search(database: r.resolve())
      }
      Registration(Search.self, scope: .singleton) { r in
        try await Search(database: r.resolve())
      }.key("declared").dependsOn(Database.self)
    }
    let report = try app.validate()
    #expect(report.opaque.map { $0.key == nil } == [true])
    // end
  }

  struct Request: Sendable { static let example = Request() }
  final class Handler: Sendable { init(request: Request, search: Search) {} }

  @Test func scopes() async throws {
    // snippet: validation scopes
    let app = Container(name: "app") {
      Registration(autowired: Database.self, scope: .singleton, initializer: Database.init)
      Registration(autowired: Search.self, scope: .singleton, initializer: Search.init)
      Registration(
        autowired: Handler.self, scope: .scoped("request"), initializer: Handler.init)
    }
    let report = try await app.validate()
    #expect(report.expectedFromScopes.map(\.description) == ["Request"])

    let inScope = try await app.withScope("request") {
      Registration(instance: Request.example)
    } operation: { scope in
      try await scope.validate()
    }
    #expect(inScope.expectedFromScopes.isEmpty)
    // end
  }

  @Test func graphs() throws {
    // snippet: graph app
    let app = Container(name: "app") {
      Registration(autowired: Database.self, scope: .singleton, initializer: Database.init)
        .eager()
      Registration(autowired: Search.self, scope: .shared, initializer: Search.init)
      Registration(
        autowired: Handler.self, scope: .scoped("request"), initializer: Handler.init)
      Registration(Profile.self) { r in Profile() }
    }
    let graph = app.dependencyGraph()
    // end
    // output: graph mermaid
    let text = """
      flowchart LR
        n0["<b>Database</b><br/><small>singleton, eager, async</small>"]
        n1["<b>Search</b><br/><small>shared</small>"]
        n2["<b>Handler</b><br/><small>scoped(#quot;request#quot;)</small>"]
        n3("<b>Profile</b><br/><small>transient, opaque</small>")
        n4["<b>Request</b><br/><small>from the scope</small>"]
        n1 --> n0
        n2 --> n1
        n2 --> n4
        classDef kept fill:#cfe3ff,stroke:#2f6fbf,stroke-width:2px,color:#1a1a1a
        class n0 kept
        classDef scoped fill:#e6dcfa,stroke:#7a4fc0,stroke-width:2px,color:#1a1a1a
        class n2 scoped
        classDef weak fill:#d9f0dc,stroke:#3f8f4f,color:#1a1a1a
        class n1 weak
        classDef passing fill:#f2f2f2,stroke:#6b6b6b,color:#1a1a1a
        class n3 passing
        classDef expected fill:#ffffff,stroke:#6b6b6b,stroke-dasharray:6 4,color:#1a1a1a
        class n4 expected
        classDef opaque stroke-dasharray:2 3
        class n3 opaque
      """
    // end
    #expect(graph.mermaid == text + "\n")

    // snippet: graph part
    let part = graph.around(Search.self)
    #expect(part.nodes.map { "\($0.service)" } == ["Database", "Search", "Handler"])
    // end

    // snippet: graph rule
    let takers = graph.edges
      .filter { graph.nodes[$0.to].service == Database.self }
      .map { graph.nodes[$0.from].description }
    #expect(takers == ["Search, shared"])
    // end
    #expect(graph.nodes.map(\.description).contains("Request, from the scope"))

    func write() throws {
      // snippet: graph file
      let graph = app.dependencyGraph()
      try graph.dot.write(toFile: "graph.dot", atomically: true, encoding: .utf8)
      // end
    }
    #expect(graph.dot.hasPrefix("digraph dependencies {\n"))
    let json = try JSONSerialization.jsonObject(with: Data(graph.json.utf8)) as? [String: Any]
    #expect((json?["nodes"] as? [Any])?.count == graph.nodes.count)
    #expect(app.dependencyGraph() == graph && app.dependencyGraph().json == graph.json)
  }

  @Test func edgesOfACycle() throws {
    let app = Container {
      Registration(autowired: Accounts.self, scope: .singleton, initializer: Accounts.init)
      Registration(autowired: Users.self, scope: .singleton, initializer: Users.init)
    }
    let graph = app.dependencyGraph()
    #expect(graph.edges.map(\.isInCycle) == [true, true])
    #expect(graph.mermaid.contains("==>"))
  }
}
