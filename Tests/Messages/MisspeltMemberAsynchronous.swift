// An asynchronous factory uses a member that its type does not have.
// expected: 10:23: error: value of type 'Store' has no member 'pathh'
import ActorDI

final class Store: Sendable { let path = ""; init(url: String) async throws {} }
final class Page: Sendable { init(_ path: String) {} }
let container = Container {
  Registration(Page.self, scope: .singleton) { r in
    let store = try await Store(url: r.resolve())
    return Page(store.pathh)
  }
}
