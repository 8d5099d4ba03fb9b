// The property is a constant.
// expected: error: 'inject' is unavailable: the container can set only a 'var' of a class
import ActorDI

final class Theme: Sendable {}
final class Page: Sendable {
  let theme: Theme? = nil
}

let container = Container {
  Registration(Page.self, scope: .singleton) { _ in Page() }.inject(\.theme)
}
