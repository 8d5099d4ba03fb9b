/// A service without state but its identity and a name.
final class Probe: Sendable {
  let name: String
  init(_ name: String = "") { self.name = name }
}

protocol Greeter: Sendable {
  func greet() -> String
}

final class Polite: Greeter {
  func greet() -> String { "Good day" }
}

final class Casual: Greeter {
  func greet() -> String { "Hi" }
}

struct ValueGreeter: Greeter {
  var words = "Hello"
  func greet() -> String { words }
}

/// Services that differ by type only; `Beta` and `Gamma` depend on the ones before.
final class Alpha: Sendable {}
final class Beta: Sendable {
  let alpha: Alpha
  init(alpha: Alpha) { self.alpha = alpha }
}
final class Gamma: Sendable {
  let beta: Beta
  let alpha: Alpha
  init(beta: Beta, alpha: Alpha) {
    self.beta = beta
    self.alpha = alpha
  }
}

/// A value type, which weak scopes cannot hold.
struct Setting: Sendable, Equatable {
  var number = 0
}

/// Three services that may depend on each other, for cycles.
final class Root: Sendable {
  let next: (any Sendable)?
  init(_ next: (any Sendable)? = nil) { self.next = next }
}
final class Stem: Sendable {
  let next: (any Sendable)?
  init(_ next: (any Sendable)? = nil) { self.next = next }
}
final class Leaf: Sendable {
  let next: (any Sendable)?
  init(_ next: (any Sendable)? = nil) { self.next = next }
}
