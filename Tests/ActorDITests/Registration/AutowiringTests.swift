import ActorDITestSupport
import Testing

@testable import ActorDI

private struct P1: Sendable { var n = 1 }
private struct P2: Sendable { var n = 2 }
private struct P3: Sendable { var n = 3 }
private struct P4: Sendable { var n = 4 }
private struct P5: Sendable { var n = 5 }
private struct Sum: Sendable {
  var digits: [Int] = []
}

private final class PetOwner: Sendable {
  let pet: Pet
  init(pet: Pet) { self.pet = pet }
}
private final class Pet: Sendable {}

private final class Slow: Sendable {
  let pet: Pet
  init(pet: Pet) async throws {
    await Task.yield()
    self.pet = pet
  }
}

@MainActor private final class Screen {
  let pet: Pet
  init(pet: Pet) { self.pet = pet }
}

private final class Picky: Sendable {
  init(pet: Pet) throws { throw Boom(number: 3) }
}

/// Registration by an initialiser whose parameter types are the dependencies.
struct AutowiringTests {
  @Test func theServiceIsInferredFromTheInitializer() async throws {
    let container = Container {
      Registration(initializer: PetOwner.init)
      Registration(autowired: Pet.self, scope: .singleton, initializer: Pet.init)
    }
    let owner = try await container.resolve(PetOwner.self)
    #expect(try await container.resolve(Pet.self) === owner.pet)
    #expect(try await container.resolve(PetOwner.self) !== owner)
  }

  @Test func initializersCanBeAsynchronousOrIsolated() async throws {
    let container = Container {
      Registration(autowired: Pet.self, scope: .singleton, initializer: Pet.init)
      Registration(autowired: Slow.self, scope: .singleton, initializer: Slow.init)
      Registration(autowired: Screen.self, scope: .singleton, initializer: Screen.init)
    }
    let pet = try await container.resolve(Pet.self)
    #expect(try await container.resolve(Slow.self).pet === pet)
    let screen = try await container.resolve(Screen.self)
    #expect(screen.pet === pet)
  }

  @Test func theResolveThrowsTheInitializersError() async throws {
    let container = Container {
      Registration(autowired: Pet.self, initializer: Pet.init)
      Registration(autowired: Picky.self, initializer: Picky.init)
    }
    await #expect(throws: Boom(number: 3)) { try await container.resolve(Picky.self) }
    #expect(throws: Boom(number: 3)) { try sync { try container.resolve(Picky.self) } }
  }

  @Test func theErrorNamesAMissingDependencyAndItsPath() async throws {
    let container = Container { Registration(initializer: PetOwner.init) }
    for error in [
      try resolutionError { try container.resolve(PetOwner.self) },
      try await asyncResolutionError { try await container.resolve(PetOwner.self) },
    ] {
      #expect(error.code == .notRegistered)
      #expect(error.service == Pet.self)
      #expect(error.path == ["PetOwner", "Pet"])
    }
  }

  @Test func dependenciesAreDerivedFromTheParameterTypes() throws {
    let registration = Registration(
      autowired: Sum.self,
      initializer: { (_: P1, _: P2?, _: [P3], _: Lazy<P4>, _: Provider<P5>) in Sum() })
    let dependencies = registration.binding.descriptor.dependencies
    #expect(dependencies.map { "\($0.identity)" } == ["P1", "P2", "P3", "P4", "P5"])
    #expect(dependencies.map(\.need) == [.required, .optional, .all, .deferred, .deferred])
  }

  @Test func parametersCanHaveRelationshipTypes() async throws {
    let container = Container {
      P1()
      Registration(P3.self) { _ in P3() }
      Registration(P3.self) { _ in P3(n: 33) }.key("other")
      P4()
      P5()
      Registration(
        autowired: Sum.self,
        initializer: {
          (one: P1, none: P2?, threes: [P3], four: Lazy<P4>, five: Provider<P5>) throws in
          Sum(digits: [one.n, none?.n ?? 0] + threes.map(\.n) + [try four().n, try five().n])
        })
    }
    #expect(try await container.resolve(Sum.self).digits == [1, 0, 3, 33, 4, 5])
    #expect(try sync { try container.resolve(Sum.self) }.digits == [1, 0, 3, 33, 4, 5])
  }
}
