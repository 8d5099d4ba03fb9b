// A hook uses a member that its type does not have.
// expected: 7:90: error: value of type 'Page' has no member 'opn'
import ActorDI

final class Page: Sendable { func open() {} }
let container = Container {
  Registration(Page.self, scope: .singleton) { _ in Page() }.onCreated { page, _ in page.opn() }
}
