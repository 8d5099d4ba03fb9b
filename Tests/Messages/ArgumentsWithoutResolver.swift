// The run-time arguments follow the resolver.
// expected: 8:27: error: cannot convert value of type '@Sendable \(String\) -> Page' to expected argument type '@Sendable \(Resolver\) throws -> Page'
// unexpected: ServiceKey
import ActorDI

final class Page: Sendable { init(_ name: String) {} }
let container = Container {
  Registration(Page.self) { (name: String) in Page(name) }
}
