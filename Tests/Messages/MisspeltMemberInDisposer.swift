// A disposer uses a member that its type does not have.
// expected: error: value of type 'Page' has no member 'closee'
import ActorDI

final class Page: Sendable { func close() {} }
let container = Container {
  Registration(Page.self, scope: .singleton) { _ in Page() }.onDispose { page in page.closee() }
}
