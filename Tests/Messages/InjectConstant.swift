// The property is a constant.
// expected: error: cannot convert value of type 'any KeyPath<Page, Theme\?> & Sendable' to expected argument type 'ReferenceWritableKeyPath<Page, Value>'
import ActorDI

final class Theme: Sendable {}
final class Page: Sendable {
  let theme: Theme? = nil
}

let container = Container {
  Registration(Page.self, scope: .singleton) { _ in Page() }.inject(\.theme)
}
