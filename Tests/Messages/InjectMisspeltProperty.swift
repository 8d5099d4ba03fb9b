// The class has no such property.
// expected: error: value of type 'Page' has no member 'stor'
import ActorDI

final class Store: Sendable {}
final class Page { var store: Store? }
let container = Container {
  Registration(Page.self) { _ in Page() }.inject(\.stor)
}
