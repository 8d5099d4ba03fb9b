// The key stands where `register` takes it.
// expected: error: 'init\(_:key:scope:factory:\)' is unavailable: the key is a modifier: Registration\(T.self\) \{ … \}.key\(…\)
// unexpected: missing argument for parameter 'instance'
import ActorDI

final class Page: Sendable {}
let container = Container {
  Registration(Page.self, key: "first") { _ in Page() }
}
