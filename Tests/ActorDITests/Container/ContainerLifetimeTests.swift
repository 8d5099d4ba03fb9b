import Testing

@testable import ActorDI

private final class Held: Sendable {
  let token: Lifetime.Token
  init(token: Lifetime.Token) { self.token = token }
}

/// What a container lets go of when it goes.
@Suite("The life of a container", .timeLimit(.minutes(5)))
struct ContainerLifetimeTests {
  private func weakly(_ make: () async throws -> Container) async throws -> () -> Container? {
    let container = try await make()
    return { [weak container] in container }
  }

  @Test(arguments: [Scope.singleton, .shared, .graph, .transient])
  func itsInstancesGoWithIt(scope: Scope) async throws {
    let lifetime = Lifetime()
    let container = try await weakly {
      let container = Container {
        Registration(Lifetime.Token.self, scope: scope) { _ in lifetime.token() }
        Registration(autowired: Held.self, scope: scope, initializer: Held.init)
          .implements((any Sendable).self, key: 1) { $0 }
      }
      _ = try await container.resolve((any Sendable).self, key: 1)
      _ = try await container.resolve(Held.self)
      return container
    }
    await lifetime.ended.wait()
    #expect(container() == nil)
  }

  @Test func instancesOfAsynchronousFactoriesGoToo() async throws {
    let lifetime = Lifetime()
    let container = try await weakly {
      let container = Container {
        Registration(Lifetime.Token.self, scope: .singleton) { _ in
          await Task.yield()
          return lifetime.token()
        }
        Registration(Held.self, scope: .singleton) { r in
          Held(token: try await r.resolve(Lifetime.Token.self))
        }
      }
      _ = try await container.resolve(Held.self)
      return container
    }
    await lifetime.ended.wait()
    #expect(container() == nil)
  }

  @Test func whatItsFactoriesCapturedGoesToo() async throws {
    let lifetime = Lifetime()
    let container = try await weakly {
      let token = lifetime.token()
      return Container {
        Registration(Lifetime.Token.self) { _ in token }
        Registration(Held.self, scope: .singleton) { _ in Held(token: token) }
          .implements((any Sendable).self) { $0 }
          .onCreated { _, _ in _ = token }
      }
    }
    await lifetime.ended.wait()
    #expect(container() == nil)
  }

  @Test func aChildHoldsItsParentAndNotTheOtherWayRound() async throws {
    let lifetime = Lifetime()
    let parent = Container { Registration(Alpha.self, scope: .singleton) { _ in Alpha() } }
    let child = try await weakly {
      let child = Container(parent: parent) {
        Registration(Lifetime.Token.self, scope: .singleton) { _ in lifetime.token() }
      }
      _ = try await child.resolve(Lifetime.Token.self)
      return child
    }
    await lifetime.ended.wait()
    #expect(child() == nil)
    _ = try await parent.resolve(Alpha.self)
    let orphan = Container(parent: Container { Setting(number: 4) })
    #expect(try await orphan.resolve(Setting.self).number == 4)
  }

  @Test func resetAndUnregisterLetGoOfInstances() async throws {
    let lifetimes = [Lifetime(), Lifetime(), Lifetime()]
    let next = Counter()
    let container = Container {
      Registration(Lifetime.Token.self, scope: .singleton) { _ in
        lifetimes[next.increment() - 1].token()
      }
    }
    _ = try await container.resolve(Lifetime.Token.self)
    await container.reset()
    await lifetimes[0].ended.wait()
    _ = try await container.resolve(Lifetime.Token.self)
    await container.reset(Lifetime.Token.self)
    await lifetimes[1].ended.wait()
    _ = try await container.resolve(Lifetime.Token.self)
    #expect(!lifetimes[2].hasEnded)
    await container.unregister(Lifetime.Token.self)
    await lifetimes[2].ended.wait()
  }

  @Test func aFailedBuildHoldsNothing() async throws {
    let lifetime = Lifetime()
    let container = Container {
      Registration(Lifetime.Token.self, scope: .singleton) { _ in lifetime.token() }
        .onCreated { _, _ in throw Boom() }
    }
    await #expect(throws: Boom()) { try await container.resolve(Lifetime.Token.self) }
    await lifetime.ended.wait()
    _ = container.registrationCount
  }
}
