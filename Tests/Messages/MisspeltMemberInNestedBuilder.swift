// A factory in a loop and a condition uses a member that its type does not have.
// expected: 13:62: error: value of type 'Store' has no member 'pathh'
import ActorDI

final class Store: Sendable { let path = "" }
final class Page: Sendable { init(_ path: String) {} }
let store = Store()
let isLive = true
let container = Container {
  for name in ["a", "b"] {
    Registration(Page.self) { _ in Page(store.path) }.key(name)
    if isLive {
      Registration(Page.self) { r in Page(store.path + store.pathh) }.key(name + "live")
    } else {
      Registration(Page.self) { r in Page(store.path) }
    }
  }
}
