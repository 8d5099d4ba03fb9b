import ActorDITestSupport
import Testing

@testable import ActorDI

extension ServiceKey where Service == Probe {
  fileprivate static var replica: Self { .init("replica") }
}

/// The dependencies that a registration declares.
@Suite("Declared dependencies")
struct DependsOnTests {
  private func dependencies(_ registration: Registration<Leaf>) throws -> [RegistrationInfo.Dependency] {
    let container = Container { registration }
    return try #require(container.registrations.first).dependencies
  }

  @Test func dependenciesAreListedInTheOrderDeclared() throws {
    let list = try dependencies(
      Registration(Leaf.self) { _ in Leaf() }
        .dependsOn(Alpha.self, Beta.self).dependsOn((any Greeter).self))
    #expect(list.map(\.description) == ["Alpha", "Beta", "any Greeter"])
    #expect(list.map { ObjectIdentifier($0.service) }.last == ObjectIdentifier((any Greeter).self))
    #expect(list.allSatisfy { $0.isRequired && !$0.isDeferred && $0.key == nil })
  }

  @Test func dependenciesCanHaveKeysAndTokens() throws {
    let list = try dependencies(
      Registration(Leaf.self) { _ in Leaf() }
        .dependsOn(Alpha.self, key: 1).dependsOn(.replica).dependsOn(.replica).dependsOn(ServiceKey<Beta>("b")))
    #expect(list.map(\.description) == ["Alpha[Int(1)]", "Probe[\"replica\"]", "Probe[\"replica\"]", "Beta[\"b\"]"])
    #expect(list[0].key as? Int == 1 && list[1].key as? String == "replica")
  }

  @Test func relationshipTypesDeclareOptionalAndDeferredDependencies() throws {
    let list = try dependencies(
      Registration(Leaf.self) { _ in Leaf() }
        .dependsOn(Alpha?.self, [Beta].self, Lazy<Gamma>.self, Provider<Probe>.self, Owned<Stem>.self))
    #expect(list.map(\.description) == ["Alpha", "Beta", "Gamma", "Probe", "Stem"])
    #expect(list.map(\.isRequired) == [false, false, false, false, true])
    #expect(list.map(\.isDeferred) == [false, false, true, true, false])
  }

  @Test func declaredDependenciesFollowTheInitialisers() throws {
    let list = try dependencies(
      Registration(autowired: Leaf.self) { (_: Alpha) in Leaf() }.dependsOn(Beta.self))
    #expect(list.map(\.description) == ["Alpha", "Beta"])
    #expect(try dependencies(Registration(Leaf.self) { _ in Leaf() }).isEmpty)
  }

  @Test func anAliasDependsOnItsTarget() throws {
    let container = Container {
      Registration(Polite.self) { _ in Polite() }.implements((any Greeter).self) { $0 }.dependsOn(Alpha.self)
    }
    #expect(container.registrations.map { $0.dependencies.map(\.description) } == [["Alpha"], ["Polite"]])
  }

  @Test func declaringADependencyDoesNotResolveIt() async throws {
    let counter = Counter()
    let container = Container {
      Registration(Leaf.self, scope: .singleton) { _ in Leaf() }.dependsOn(Alpha.self, Beta.self)
      Registration(Alpha.self) { _ in
        counter.increment()
        return Alpha()
      }
    }
    _ = try await container.resolve(Leaf.self)
    #expect(counter.count == 0, "A missing declared dependency does not fail the resolve")
  }

  @Test func declaringADependencyDoesNotChangeTheBuildsExecutor() async throws {
    // Only the initialiser's parameters decide. They are all synchronous, so the build runs on the caller's executor.
    let isOnMainActor = Shelf<Bool?>(nil)
    let container = Container {
      Registration(Alpha.self) { _ in Alpha() }
      Registration(Beta.self, scope: .singleton) { _ async in Beta(alpha: Alpha()) }
      Registration(autowired: Leaf.self, scope: .singleton) { (alpha: Alpha) in
        isOnMainActor.value = MainExecutor.isCurrent
        return Leaf(alpha)
      }.dependsOn(Beta.self)
    }
    try await onMainActor { _ = try await container.resolve(Leaf.self) }
    #expect(isOnMainActor.value == true)
  }

  @MainActor private func onMainActor(_ body: @MainActor () async throws -> Void) async throws {
    try await body()
  }
}
