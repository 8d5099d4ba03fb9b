// A decorator uses a member that its type does not have.
// expected: 10:49: error: value of type 'any Store' has no member 'pathh'
import ActorDI

protocol Store: Sendable { var path: String { get } }
struct Disk: Store { let path = "" }
struct Cached: Store { let path: String }
let container = Container {
  Registration((any Store).self, scope: .singleton) { _ in Disk() }
    .decorated { r, inner in Cached(path: inner.pathh) }
}
