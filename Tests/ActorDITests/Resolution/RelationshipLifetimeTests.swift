import ActorDITestSupport
import Testing

@testable import ActorDI

private final class Part: Sendable {}

private final class Owner: Sendable {
  let token: ObjectLifetime.Token
  let lazy: Lazy<Part>
  let provider: Provider<Part>
  init(token: ObjectLifetime.Token, lazy: Lazy<Part>, provider: Provider<Part>) {
    self.token = token
    self.lazy = lazy
    self.provider = provider
  }
}

private final class Outer: Sendable {
  let owner: Owner
  init(owner: Owner) { self.owner = owner }
}

/// The objects that `Lazy` and `Provider` keep alive.
@Suite("Lifetimes of Lazy and Provider", .timeLimit(.minutes(5)))
struct RelationshipLifetimeTests {
  private static func container(_ lifetime: ObjectLifetime, _ scope: Scope) -> Container {
    Container(name: "gone") {
      Registration(ObjectLifetime.Token.self) { _ in lifetime.token() }
      Registration(autowired: Part.self, scope: scope, initializer: Part.init)
      Registration(autowired: Owner.self, scope: scope, initializer: Owner.init)
      Registration(autowired: Outer.self, scope: scope, initializer: Outer.init)
    }
  }

  /// Resolves the owner, uses its relationships if asked to, and returns a weak reference to it.
  private func weakOwner(in container: Container, isUsed: Bool) async throws -> () -> Owner? {
    let outer = try await container.resolve(Outer.self)
    if isUsed {
      _ = try await outer.owner.lazy()
      _ = try await outer.owner.provider()
    }
    return { [weak owner = outer.owner] in owner }
  }

  @Test(arguments: [Scope.transient, .graph, .shared], [true, false])
  func theContainerAndAnOwnerOfRelationshipsAreFreed(scope: Scope, isUsed: Bool) async throws {
    func weakReferences() async throws -> (container: () -> Container?, owner: () -> Owner?) {
      let container = Self.container(ObjectLifetime(), scope)
      let owner = try await weakOwner(in: container, isUsed: isUsed)
      return ({ [weak container] in container }, owner)
    }
    let (container, owner) = try await weakReferences()
    #expect(container() == nil)
    #expect(owner() == nil)
  }

  /// Relationships do not retain a scope. So each scope is freed when it ends, rather than after a process barrier.
  @Test func aScopeWithRelationshipsIsFreedAtOnce() async throws {
    let app = Self.container(ObjectLifetime(), .scoped)
    for round in 0..<200 {
      let owner = try await app.withScope("request") { try await weakOwner(in: $0, isUsed: round % 2 == 0) }
      #expect(owner() == nil, "round \(round)")
    }
    let (owner, handle) = try await app.withScope("request") {
      Registration(Leaf.self, scope: .singleton) { _ in Leaf() }
    } operation: { scope in
      // A handle, unlike a dependency, may be the last reference to the scope and to its registration.
      (try await scope.resolve(Outer.self).owner, scope.provider(for: Leaf.self))
    }
    let errors = [
      try await asyncResolutionError { try await owner.lazy() },
      try await asyncResolutionError { try await owner.provider() },
      try await asyncResolutionError { try await handle() },
    ]
    #expect(errors.allSatisfy { $0.code == .closed && "\($0)".contains("\"request\"") })
  }

  @Test(arguments: [true, false])
  func aResetFreesAKeptOwnerAndItsContainer(isUsed: Bool) async throws {
    let lifetime = ObjectLifetime()
    func weakReferences() async throws -> () -> Container? {
      let container = Self.container(lifetime, .singleton)
      _ = try await weakOwner(in: container, isUsed: isUsed)
      await container.reset()
      return { [weak container] in container }
    }
    let container = try await weakReferences()
    await lifetime.ended.wait()
    #expect(container() == nil)
  }

  @Test(arguments: [Scope.transient, .graph, .shared], [true, false])
  func anUnreferencedOwnerIsFreedBeforeItsContainer(scope: Scope, isUsed: Bool) async throws {
    let container = Self.container(ObjectLifetime(), scope)
    let owner = try await weakOwner(in: container, isUsed: isUsed)
    #expect(owner() == nil)
    #expect(container.resolveIfReady(Owner.self) == nil)
  }

  @Test func aLazyAndAProviderRetainTheirContainer() async throws {
    func owners() async throws -> [Owner] {
      let container = Self.container(ObjectLifetime(), .transient)
      return try await [container.resolve(Owner.self), container.resolve(Owner.self)]
    }
    for owner in try await owners() {
      let part = try await owner.lazy()
      #expect(try owner.lazy.synchronously() === part)
      #expect(try await owner.provider() !== part)
      #expect(try owner.provider.synchronously() !== part)
    }
  }

  @Test func aContainersProviderRetainsTheContainer() async throws {
    let provider = Self.container(ObjectLifetime(), .singleton).provider(for: Part.self)
    #expect(try await provider() === provider())
  }
}
