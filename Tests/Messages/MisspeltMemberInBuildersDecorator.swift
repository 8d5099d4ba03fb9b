// A decorator of a batch uses a member that its type does not have.
// expected: error: value of type 'any Store' has no member 'pathh'
import ActorDI

protocol Store: Sendable { var path: String { get } }
struct Cached: Store { let path: String }
let container = Container {
  Decorator((any Store).self) { _, inner in Cached(path: inner.pathh) }
}
