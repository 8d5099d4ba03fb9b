import ActorDITestSupport
import Testing

@testable import ActorDI

/// Many registrations, in one batch and one by one.
@Suite("Large registries", .timeLimit(.minutes(5)))
struct BatchTests {
  private static let count = 10_000

  private func check(_ container: Container) throws {
    #expect(container.registrationCount == Self.count)
    for key in 0..<Self.count {
      let number = try container.resolve(Int.self, key: key)
      guard number == key else {
        Issue.record("Key \(key) resolves to \(number)")
        return
      }
    }
    #expect(!container.contains(Int.self, key: Self.count))
    #expect(container.registrations.map { $0.key as? Int } == Array(0..<Self.count))
  }

  @Test func anInitializerTakesTenThousandRegistrations() throws {
    try check(
      Container {
        for key in 0..<Self.count { Registration(Int.self) { _ in key }.key(key) }
      })
  }

  @Test func aBatchTakesTenThousandRegistrations() async throws {
    let container = Container { Registration(Int.self) { _ in -1 }.key(0) }
    try await container.register {
      for key in 0..<Self.count { Registration(Int.self) { _ in key }.key(key) }
    }
    try sync { try check(container) }
  }

  @Test func tenThousandRegistrationsCanBeAddedOneByOne() async throws {
    let container = Container()
    for key in 0..<Self.count {
      try await container.register(Int.self, key: key) { _ in key }
    }
    try sync { try check(container) }
  }

  @Test func anArrayOfTenThousandElementsKeepsTheirOrder() async throws {
    let container = Container {
      for key in 0..<Self.count { Registration(Int.self) { _ in key }.key(key) }
    }
    #expect(try await container.resolve([Int].self) == Array(0..<Self.count))
    #expect(try sync { try container.resolve([Int].self) } == Array(0..<Self.count))
  }

  @Test func aBatchThatFailsAtItsEndRegistersNothing() async throws {
    let container = Container(configuration: .init(duplicates: .error)) {
      for key in 0..<100 { Registration(Int.self, scope: .singleton) { _ in key }.key(key) }
    }
    #expect(try await container.resolve(Int.self, key: 7) == 7)
    let error = try await asyncResolutionError {
      try await container.register {
        for key in 100..<Self.count { Registration(Int.self) { _ in -key }.key(key) }
        Registration(Int.self) { _ in -1 }.key(50)
      }
    }
    #expect(error.code == .duplicate)
    #expect(error.key as? Int == 50)
    #expect(container.registrationCount == 100)
    #expect(!container.contains(Int.self, key: 100))
    #expect(container.resolveIfReady(Int.self, key: 7) == 7)
    for key in 0..<100 { #expect(try sync { try container.resolve(Int.self, key: key) } == key) }
    try await container.register(Int.self, key: 100) { _ in 100 }
    #expect(container.registrationCount == 101)
  }

  // A regression: each scope with registrations made a registry while any container of the process was observed.
  @Test func aScopeNeedsARegistryAtItsOpeningOnlyIfItIsObserved() async throws {
    let (app, other) = (Container(), Container())
    let streamOfOther = other.events()
    try await app.withScope {
      Setting()
    } operation: { scope in
      let hasRegistry = scope.lazyRegistry.isSet
      #expect(!hasRegistry && scope.contains(Setting.self))
    }
    let stream = app.events()
    try await app.withScope {
      Setting()
    } operation: { scope in
      let hasRegistry = scope.lazyRegistry.isSet
      #expect(hasRegistry)
    }
    withExtendedLifetime((streamOfOther, stream)) {}
  }
}
