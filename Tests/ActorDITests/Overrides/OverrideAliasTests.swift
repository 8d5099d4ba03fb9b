import ActorDITestSupport
import Testing

@testable import ActorDI

private protocol Household: AnyObject, Sendable {
  var greeter: any Greeter { get }
}

private final class Home: Household {
  let greeter: any Greeter
  init(greeter: any Greeter) { self.greeter = greeter }
}

private final class Street: Sendable {
  let household: any Household
  init(household: any Household) { self.household = household }
}

/// The aliases of kept services under overrides.
@Suite("Aliases under overrides", .timeLimit(.minutes(5)))
struct OverrideAliasTests {
  private func makeContainer(_ scope: Scope) -> Container {
    Container {
      Registration(autowired: (any Greeter).self) { Polite() }
      Registration(autowired: Home.self, scope: scope, initializer: Home.init).implements((any Household).self) { $0 }
      Registration(autowired: Street.self, initializer: Street.init)
    }
  }

  /// The instance that the alias shows without overrides; nil for none.
  private func shown(by container: Container) -> (any Household)? {
    OverrideLayer.$current.withValue(nil) { container.resolveIfReady((any Household).self) }
  }

  // A regression: the container's alias went on showing the instance of the operation.
  @Test(arguments: keepingScopes, [false, true])
  func aliasesShowInstancesOfAnOperationInTheOperationOnly(scope: Scope, isBuiltBefore: Bool) async throws {
    let container = makeContainer(scope)
    let own = isBuiltBefore ? try await container.resolve((any Household).self) : nil
    try await container.withOverrides(strict: true) {
      Registration(autowired: (any Greeter).self) { Casual() }
    } operation: { () async throws in
      let home = try await container.resolve(Home.self)
      #expect(home.greeter is Casual)
      #expect(try sync { try container.resolve((any Household).self) } === home)
      #expect(container.resolveIfReady((any Household).self) === home)
      try await container.withOverrides {
        Registration(autowired: (any Greeter).self) { ValueGreeter() }
      } operation: { () async throws in
        let nested = try await container.resolve(Home.self)
        #expect(nested.greeter is ValueGreeter)
        #expect(try await container.resolve(Street.self).household === nested)
        #expect(shown(by: container) === own)
      }
      #expect(try await container.resolve(Street.self).household === home)
      #expect(shown(by: container) === own)
    }
    #expect(shown(by: container) === own)
    #expect(try await container.resolve(Street.self).household.greeter is Polite)
    #expect(try sync { try container.resolve((any Household).self) }.greeter is Polite)
  }

  @Test(arguments: keepingScopes)
  func aliasesShowEachOfTwoOperationsItsOwnInstance(scope: Scope) async throws {
    let container = makeContainer(scope)
    let gates = [Gate(), Gate()]
    @Sendable func operation(_ index: Int, _ greeter: any Greeter) async throws -> any Greeter {
      try await container.withOverrides {
        Registration(autowired: (any Greeter).self) { greeter }
      } operation: { () async throws in
        let home = try await container.resolve(Home.self)
        gates[index].open()
        try await gates[1 - index].passed()
        let shown = try await container.resolve((any Household).self)
        #expect(shown === home)
        return shown.greeter
      }
    }
    async let first = operation(0, Casual())
    async let second = operation(1, ValueGreeter())
    #expect(try await first is Casual)
    #expect(try await second is ValueGreeter)
    #expect(shown(by: container) == nil)
    #expect(try await container.resolve((any Household).self).greeter is Polite)
  }

  // A regression: the conversion of an instance that a task had made for the container saw the overrides of the operation.
  @Test(arguments: [.singleton, .managed(by: ManagedScope("period"))] as [Scope], [false, true])
  func theConversionOfAnInstanceThatTheContainerKeepsSeesNoOverrides(_ scope: Scope, isAsynchronous: Bool) async throws
  {
    let seen = Journal<Bool>()
    let container = Container {
      Registration(Setting.self) { _ in Setting(number: 1) }
      let home =
        isAsynchronous
        ? Registration(Home.self, scope: scope) { _ async in Home(greeter: Polite()) }
        : Registration(Home.self, scope: scope) { _ in Home(greeter: Polite()) }
      home.dependsOn().implements((any Household).self) {
        seen.note(OverrideLayer.active != nil)
        return $0
      }
    }
    try await container.withOverrides {
      Registration(Setting.self) { _ in Setting(number: 2) }
    } operation: {
      _ = try await container.resolve(Home.self)
    }
    #expect(seen.entries == [false])
  }

  @Test func aliasesOfAnOverrideShowTheOverride() async throws {
    let container = makeContainer(.singleton)
    try await container.withOverrides {
      Registration(autowired: Home.self, scope: .singleton) { Home(greeter: Casual()) }
        .implements((any Household).self) { $0 }
    } operation: { () async throws in
      let home = try await container.resolve(Home.self)
      #expect(home.greeter is Casual)
      #expect(try await container.resolve((any Household).self) === home)
      #expect(try sync { try container.resolve(Street.self) }.household === home)
    }
    #expect(shown(by: container) == nil)
  }

  /// A regression: the search for overrides followed the service that the enclosing operation has overridden.
  @Test func anAliasOfAnOverriddenServiceFindsTheOverridesOfWhatThatTakes() async throws {
    final class Owner: Sendable {
      let stall: any Stall
      init(stall: any Stall) { self.stall = stall }
    }
    let container = Container {
      Registration(autowired: Owner.self, scope: .singleton, initializer: Owner.init)
      Registration(autowired: PlainStall.self) { PlainStall() }.implements((any Stall).self) { $0 }
      Registration(autowired: String.self) { "real" }
    }
    try await container.withOverrides {
      Registration(autowired: PlainStall.self, scope: .singleton) { (name: String) in PlainStall(name) }
    } operation: { () async throws in
      #expect(try await container.resolve(Owner.self).stall.name == "real")
      try await container.withOverrides {
        Registration(autowired: String.self) { "fake" }
      } operation: { () async throws in
        #expect(try await container.resolve(Owner.self).stall.name == "fake")
      }
      #expect(try await container.resolve(Owner.self).stall.name == "real")
    }
  }
}
