/// A service without state but its identity and a name.
package final class Probe: Sendable {
  package let name: String
  package init(_ name: String = "") { self.name = name }
}

package protocol Greeter: Sendable {
  func greet() -> String
}

package final class Polite: Greeter {
  package init() {}
  package func greet() -> String { "Good day" }
}

package final class Casual: Greeter {
  package init() {}
  package func greet() -> String { "Hi" }
}

package struct ValueGreeter: Greeter {
  package var words: String
  package init(words: String = "Hello") { self.words = words }
  package func greet() -> String { words }
}

/// Services that differ by type only; `Beta` and `Gamma` depend on the ones before.
package final class Alpha: Sendable {
  package init() {}
}
package final class Beta: Sendable {
  package let alpha: Alpha
  package init(alpha: Alpha) { self.alpha = alpha }
}
package final class Gamma: Sendable {
  package let beta: Beta
  package let alpha: Alpha
  package init(beta: Beta, alpha: Alpha) {
    self.beta = beta
    self.alpha = alpha
  }
}

/// A value type, which weak scopes cannot hold.
package struct Setting: Sendable, Equatable {
  package var number: Int
  package init(number: Int = 0) { self.number = number }
}

/// Three services that may depend on each other, for cycles.
package final class Root: Sendable {
  package let next: (any Sendable)?
  package init(_ next: (any Sendable)? = nil) { self.next = next }
}
package final class Stem: Sendable {
  package let next: (any Sendable)?
  package init(_ next: (any Sendable)? = nil) { self.next = next }
}
package final class Leaf: Sendable {
  package let next: (any Sendable)?
  package init(_ next: (any Sendable)? = nil) { self.next = next }
}
