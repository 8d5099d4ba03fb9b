import ActorDITestSupport
import Testing

@testable import ActorDI

private struct Greeting: Sendable {
  let words: String
}

private final class Unsendable {
  let number: Int
  init(_ number: Int) { self.number = number }
}

private final class Pair: Sendable {
  let alpha: Alpha
  let beta: Beta
  init(alpha: Alpha, beta: Beta) {
    self.alpha = alpha
    self.beta = beta
  }
}

extension ServiceKey where Service == Greeting {
  fileprivate static var formal: Self { .init("formal") }
}

/// The short forms of resolving. Each is used as documented, without further parentheses or type annotations.
@Suite("The ~> operators")
struct OperatorTests {
  private static let container = Container {
    Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
    Registration(Beta.self, scope: .singleton) { r in
      await Task.yield()
      return Beta(alpha: try await r~>)
    }
    Registration((any Greeter).self) { _ in Polite() }
    Registration(Greeting.self) { _ in Greeting(words: "plain") }
    Registration(.formal) { _ in Greeting(words: "formal") }
    Registration(Greeting.self) { (_, name: String) in Greeting(words: name) }
    Registration(Greeting.self) { (_, name: String, times: Int) in Greeting(words: "\(name)\(times)") }
    Registration(Greeting.self) { (_, a: Int, b: String, c: Bool, d: Double) in Greeting(words: "\(a)\(b)\(c)\(d)") }
    Registration(Greeting.self) { (_, pair: (Int, Int)) in Greeting(words: "\(pair.0) and \(pair.1)") }
    Registration(Greeting.self) { (_, name: String) in Greeting(words: "dear " + name) }.key("formal")
    Registration(Greeting.self) { (_, name: String, n: Int) in Greeting(words: "dear \(name)\(n)") }.key("formal")
    Registration(Unsendable.self) { _ in Unsendable(1) }
  }

  @Test func theOperatorsResolveInSynchronousCode() throws {
    let r = Self.container
    let alpha: Alpha = try r~>
    #expect(try (r ~> Alpha.self) === alpha)
    #expect(try (r ~> (any Greeter).self) is Polite)
    #expect(try (r ~> (Greeting.self, key: "formal")).words == "formal")
    let named = try r ~> (Greeting.self, argument: "Ada")
    #expect(named.words == "Ada")
    let numbered = try r ~> (Greeting.self, arguments: ("Ada", 2))
    #expect(numbered.words == "Ada2")
    let long = try r ~> (Greeting.self, arguments: (1, "b", true, 2.5))
    #expect(long.words == "1btrue2.5")
    let tuple = try r ~> (Greeting.self, argument: (3, 4))
    #expect(tuple.words == "3 and 4")
    #expect(try (r ~> (Greeting.self, key: "formal", argument: "Ada")).words == "dear Ada")
    #expect(try (r ~> (Greeting.self, key: "formal", arguments: ("Ada", 2))).words == "dear Ada2")
    let own: Unsendable = try r~>
    let other = try r ~> Unsendable.self
    #expect(own !== other && own.number == 1)
  }

  @Test func theOperatorsResolveInAsynchronousCode() async throws {
    let r = Self.container
    let beta: Beta = try await r~>
    #expect(try await (r ~> Beta.self) === beta)
    #expect(try await (r ~> (Greeting.self, key: "formal")).words == "formal")
    #expect(try await (r ~> (Greeting.self, argument: "Ada")).words == "Ada")
    #expect(try await (r ~> (Greeting.self, arguments: ("Ada", 2))).words == "Ada2")
    #expect(try await (r ~> (Greeting.self, key: "formal", argument: "Ada")).words == "dear Ada")
    #expect(try await (r ~> (Greeting.self, key: "formal", arguments: ("Ada", 2))).words == "dear Ada2")
    let own = try await r ~> Unsendable.self
    #expect(own.number == 1)
  }

  @Test func theOperatorsResolveRelationshipTypes() async throws {
    let r = Self.container
    let missing: Gamma? = try await r~>
    #expect(missing == nil)
    let all = try await r ~> [any Greeter].self
    #expect(all.count == 1)
    let lazy: Lazy<Beta> = try await r~>
    #expect(try await lazy() === (r ~> Beta.self))
  }

  @Test func factoriesCanUseTheOperators() async throws {
    let container = Container {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
      Registration(Beta.self, scope: .singleton) { r in Beta(alpha: try r~>) }
      Registration(Pair.self) { r in Pair(alpha: try r~>, beta: try r ~> Beta.self) }
      Registration(Pair.self) { r in try Pair(alpha: r~>, beta: r ~> Beta.self) }.key("one try")
      Registration(Pair.self) { try Pair(alpha: $0~>, beta: $0~>) }.key("short")
      Registration(Pair.self) { r in Pair(alpha: try await r~>, beta: try await r ~> Beta.self) }.key("async")
    }
    let pair = try sync { try container ~> Pair.self }
    for key in ["one try", "short", "async"] {
      let other = try await container ~> (Pair.self, key: key)
      #expect(other.alpha === pair.alpha && other.beta === pair.beta)
    }
    // Without `await`, the compiler chooses the synchronous form.
    #expect(try sync { try container ~> (Pair.self, key: "short") }.beta === pair.beta)
  }

  @Test func theOperatorsTakeAnyResolvingValue() async throws {
    let values: [any Resolving] = [Self.container, Self.container.resolver]
    let alpha: Alpha = try await Self.container~>
    for value in values {
      let found: Alpha = try await value~>
      #expect(found === alpha)
      #expect(try sync { try value ~> Alpha.self } === alpha)
    }
  }

  @Test func theOperatorsThrowTheErrorsOfResolve() async throws {
    let container = Container { Registration(Beta.self) { r in Beta(alpha: try r~>) } }
    let error = try sync { try resolutionError { try container ~> Beta.self } }
    #expect(error.code == .notRegistered && error.path == ["Beta", "Alpha"])
    let other = try await asyncResolutionError { try await container ~> (Beta.self, argument: 1) }
    #expect(other.code == .argumentMismatch)
    let asynchronous = Container { Registration(Alpha.self) { _ async in Alpha() } }
    let refused = try sync { try resolutionError { try asynchronous ~> Alpha.self } }
    #expect(refused.code == .asyncRequired)
  }
}
