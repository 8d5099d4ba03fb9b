import ActorDITestSupport
import Testing

@testable import ActorDI

private struct Empty: Equatable, Sendable {}

private struct Large: Equatable, Sendable {
  var (first, second, third, fourth) = (1, 2, 3, 4)
  var (fifth, sixth, seventh, last) = ("five", "six", "seven", UInt8(8))
}

private enum Choice: Equatable, Sendable {
  case number(UInt8), text(String), nothing
}

/// The same value as a service of another type, which has the value as its only field.
private struct Wrapped<Value: Equatable & Sendable>: Equatable, Sendable {
  let value: Value
}

/// A class with a value as a parameter, a property and a run-time argument.
private final class Holder<Value: Equatable & Sendable>: Sendable {
  let parameter: Value
  let argument: Wrapped<Value>
  init(parameter: Value, argument: Wrapped<Value>) {
    self.parameter = parameter
    self.argument = argument
  }
}

/// Services of every size and alignment, in every scope and by every way to get one.
///
/// The memory of new instances is not zero, so a read beyond a value shows.
@Suite("Services of every layout") struct ServiceLayoutTests {
  @Test(arguments: allScopes + [.scoped, .pooled(max: 2)])
  func everyLayout(_ scope: Scope) async throws {
    try await check(Empty(), in: scope)
    try await check(true, in: scope)
    try await check(UInt8.max, in: scope)
    try await check(UInt32(7), in: scope)
    try await check(Int.min, in: scope)
    try await check(1.5, in: scope)
    try await check(Choice.number(3), in: scope)
    try await check(Choice.nothing, in: scope)
    try await check("text", in: scope)
    try await check([1, 2, 3], in: scope)
    try await check(Large(), in: scope)
    try await check(SIMD4<Float>(repeating: 2), in: scope)
    try await check(1 as Int?, in: scope)
    try await check(nil as Int?, in: scope)
    try await check(nil as UInt8??, in: scope)
    try await check(0..<3, in: scope)
  }

  // Only synchronous forms: an optimised asynchronous function with such a value in its frame damages its task's memory, also without
  // this library (Swift 6.3.1).
  @Test(arguments: allScopes + [.scoped, .pooled(max: 2)])
  func overaligned(_ scope: Scope) async throws {
    typealias Value = SIMD16<Float>
    let container = container(with: Value(repeating: 2), in: scope)
    try await container.decorate(Wrapped<Value>.self, key: "decorated") { _, inner in inner }
    try checkSynchronousForms(Value(repeating: 2), container, in: scope)
    try checkSynchronousForms(Value(repeating: 2), container.makeChild(name: "child"), in: scope)
  }

  private func container<Value: Equatable & Sendable>(with value: Value, in scope: Scope) -> Container {
    typealias Extra = Wrapped<Value>
    return Container {
      Registration(Value.self, scope: scope) { _ in value }.implements(Extra.self) { Extra(value: $0) }
        .onCreated { instance, _ in #expect(instance == value) }.onDispose { #expect($0 == value) }
      Registration(Value.self, scope: scope) { _ async in value }.key("later")
      Registration(Value.self, scope: scope) { _ in value }.key(UInt8(1))
      Registration(Value.self, scope: scope) { (_: Resolver, other: Value, number: UInt32) in
        #expect(other == value && number == 7)
        return other
      }
      Registration(Extra.self, scope: scope) { _ in Extra(value: value) }.key("decorated")
      Registration(
        autowired: Holder<Value>.self, arguments: Extra.self, initializer: Holder<Value>.init(parameter:argument:))
    }
  }

  private func check<Value: Equatable & Sendable>(_ value: Value, in scope: Scope) async throws {
    let parent = container(with: value, in: scope)
    try await parent.decorate(Wrapped<Value>.self, key: "decorated") { _, inner in inner }
    for container in [parent, parent.makeChild(name: "child")] {
      try checkSynchronousForms(value, container, in: scope)
      try await checkAsynchronousForms(value, container)
      try await checkRelationships(value, container)
    }
    try await parent.withScope("scope") { scope in
      try await checkAsynchronousForms(value, scope)
      try await checkRelationships(value, scope)
    }
    let override = try await parent.withOverrides {
      Registration(Value.self, scope: scope) { _ in value }.key("later")
    } operation: {
      fillFreeMemory()
      return try await parent.resolve(Value.self, key: "later")
    }
    #expect(override == value)
    try await parent.shutdown()
  }

  private func checkSynchronousForms<Value: Equatable & Sendable>(
    _ value: Value, _ container: Container, in scope: Scope
  ) throws {
    for _ in 0..<2 {
      fillFreeMemory()
      #expect(try container.resolve(Value.self) == value)
      #expect(try container.resolve(Value.self, key: UInt8(1)) == value)
      #expect(try container.resolve(ServiceKey<Value>(UInt8(1))) == value)
      #expect(try container.resolve(Wrapped<Value>.self).value == value)
      #expect(try container.resolve(Wrapped<Value>.self, key: "decorated").value == value)
      #expect(try container.resolve(ServiceKey<Wrapped<Value>>("decorated")).value == value)
      #expect(try container.resolve(Value.self, arguments: value, UInt32(7)) == value)
      try container.withResolved(Value.self) { #expect($0 == value) }
      #expect(try container.resolveAny(Value.self) as? Value == value)
      if scope.policy.isKept && !scope.policy.isWeak {
        #expect(container.resolveIfReady(Value.self) == value)
        #expect(container.resolveIfReady(Wrapped<Value>.self)?.value == value)
      }
      let holder = try container.resolve(Holder<Value>.self, arguments: Wrapped(value: value))
      #expect(holder.parameter == value && holder.argument.value == value)
    }
  }

  private func checkAsynchronousForms<Value: Equatable & Sendable>(_ value: Value, _ container: Container) async throws
  {
    for _ in 0..<2 {
      fillFreeMemory()
      #expect(try await container.resolve(Value.self) == value)
      #expect(try await container.resolve(Value.self, key: "later") == value)
      #expect(try await container.resolve(ServiceKey<Value>("later")) == value)
      #expect(try await container.resolve(Wrapped<Value>.self).value == value)
      #expect(try await container.resolve(Wrapped<Value>.self, key: "decorated").value == value)
      #expect(try await container.resolve(Value.self, arguments: value, UInt32(7)) == value)
      #expect(try await container.resolveAny(Value.self) as? Value == value)
      let holder = try await container.resolve(Holder<Value>.self, arguments: Wrapped(value: value))
      #expect(holder.parameter == value && holder.argument.value == value)
    }
  }

  private func checkRelationships<Value: Equatable & Sendable>(_ value: Value, _ container: Container) async throws {
    fillFreeMemory()
    let lazy = try await container.resolve(Lazy<Wrapped<Value>>.self)
    #expect(try await lazy().value == value)
    #expect(try lazy.synchronously().value == value)
    let provider = try await container.resolve(Provider<Wrapped<Value>>.self)
    #expect(try await provider().value == value)
    let owned = try await container.resolve(Owned<Wrapped<Value>>.self)
    #expect(owned.value.value == value)
    await owned.dispose()
    #expect(try await container.resolve(Wrapped<Value>?.self)?.value == value)
    #expect(try await container.resolve([Wrapped<Value>].self).allSatisfy { $0.value == value })
    #expect(try await container.resolve([String: Wrapped<Value>].self)["decorated"]?.value == value)
    let injected = Injected<Wrapped<Value>>(key: "decorated", from: container)
    #expect(try await injected().value == value)
    #expect(injected.wrappedValue.value == value)
  }
}
