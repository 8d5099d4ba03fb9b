import ActorDI
import ActorDIInspector
import Foundation
import Testing

/// Writes the page and states for `Server/Tools/inspect-browser`, into the folder that it names.
@Suite("Pages for the browser", .enabled(if: ProcessInfo.processInfo.environment["ACTORDI_INSPECTOR_PAGES"] != nil))
struct PageWriting {
  private let folder = URL(fileURLWithPath: ProcessInfo.processInfo.environment["ACTORDI_INSPECTOR_PAGES"] ?? "")

  private func write(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  @Test func page() throws {
    try write(ContainerInspector.page(), "page.html")
    try write(ContainerInspector.contentSecurityPolicy, "policy.txt")
  }

  @Test func notes() async throws {
    let inspector = ContainerInspector(eventLimit: 64, showsKeys: true)
    let app = makeNotes(inspector)
    try write(inspector.json(of: app), "notes.json")
    try await app.start()
    _ = try await app.resolve(Janitor.self)
    _ = try? await app.resolve(Int.self, key: "port")
    try await app.withScope("request") {
      Registration(instance: Request())
    } operation: { request in
      _ = try await request.resolve(UsersHandler.self)
    }
    let users: KeyedScopes<String> = app.keyedScopes("user", idleFor: .seconds(600))
    for user in ["Ada", "Bob", "Eve"] { try await users.withScope(user) { _ in } }
    try await app.withScope("request") {
      Registration(instance: Request())
    } operation: { request in
      _ = try await request.resolve(NotesHandler.self)
      try await users.withScope("Bob") { (_: Container) async throws in
        try await app.withScope("job") { job in
          try await app.register(
            Registration(Refresh.self, scope: .singleton) { _ in
              try write(inspector.json(of: app), "notes-later.json")
              return Refresh()
            }.dependsOn())
          _ = try await job.resolve(Refresh.self)
        }
      }
    }
    try await app.shutdown()
  }

  @Test func shops() async throws {
    for count in [500, 1000] {
      let inspector = ContainerInspector()
      let shop = makeShop(services: count, inspector)
      for area in 0..<count / 20 { _ = try await shop.resolve(Shop.Repository.self, key: area) }
      try write(inspector.json(of: shop), "shop-\(count).json")
    }
  }

  @Test func others() async throws {
    let inspector = ContainerInspector(showsErrorTexts: true, showsKeys: true)
    let odd = makeOdd(inspector)
    for text in oddTexts { _ = try? await odd.resolve(Int.self, key: text) }
    for text in oddTexts { _ = try? await odd.resolve(String.self, key: text) }
    let scopes: KeyedScopes<String> = odd.keyedScopes("<b>", idleFor: .seconds(600))
    for text in oddTexts { try await scopes.withScope(text) { _ in } }
    try write(inspector.json(of: odd), "odd.json")
    try await odd.shutdown()
    try write(ContainerInspector().json(of: Container()), "empty.json")
    let cycle = Container(name: "cycle") {
      Registration<Int>.keyed(1, 1).dependsOn(Int.self, key: 2)
      Registration<Int>.keyed(2, 2).dependsOn(Int.self, key: 1)
    }
    try write(ContainerInspector().json(of: cycle), "cycle.json")
    let child = makeNotes(inspector).makeChild(name: "child") {
      Registration(autowired: Session.self, scope: .singleton, initializer: Session.init)
      Registration(instance: Request())
    }
    try await child.withScope("request") { _ in try write(inspector.json(of: child), "child.json") }
  }
}
