import Testing

@testable import ActorDI

private struct P1: Sendable { var n = 1 }
private struct P2: Sendable { var n = 2 }
private struct P3: Sendable { var n = 3 }
private struct P4: Sendable { var n = 4 }
private struct P5: Sendable { var n = 5 }
private struct P6: Sendable { var n = 6 }
private struct Sum: Sendable, Equatable {
  var digits: [Int]
  init() { digits = [] }
  init(a: P1) { digits = [a.n] }
  init(a: P1, b: P2) { digits = [a.n, b.n] }
  init(a: P1, b: P2, c: P3) { digits = [a.n, b.n, c.n] }
  init(a: P1, b: P2, c: P3, d: P4) { digits = [a.n, b.n, c.n, d.n] }
  init(a: P1, b: P2, c: P3, d: P4, e: P5) { digits = [a.n, b.n, c.n, d.n, e.n] }
  init(a: P1, b: P2, c: P3, d: P4, e: P5, f: P6) { digits = [a.n, b.n, c.n, d.n, e.n, f.n] }
}

private struct Parts: Module {
  var registrations: Registrations {
    P1()
    P2()
    P3()
    P4()
    P5()
    P6()
  }
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
  private func digits(_ registration: Registration<Sum>) async throws -> [Int] {
    let container = Container {
      Parts()
      registration
    }
    let digits = try await container.resolve(Sum.self).digits
    #expect(try sync { try container.resolve(Sum.self).digits } == digits)
    return digits
  }

  @Test func anyNumberOfParameters() async throws {
    #expect(try await digits(Registration(autowired: Sum.self, initializer: { Sum() })) == [])
    #expect(
      try await digits(Registration(autowired: Sum.self, initializer: Sum.init(a:))) == [1])
    #expect(
      try await digits(Registration(autowired: Sum.self, initializer: Sum.init(a:b:))) == [1, 2])
    #expect(
      try await digits(Registration(autowired: Sum.self, initializer: Sum.init(a:b:c:)))
        == [1, 2, 3])
    #expect(
      try await digits(Registration(autowired: Sum.self, initializer: Sum.init(a:b:c:d:)))
        == [1, 2, 3, 4])
    #expect(
      try await digits(Registration(autowired: Sum.self, initializer: Sum.init(a:b:c:d:e:)))
        == [1, 2, 3, 4, 5])
    #expect(
      try await digits(Registration(autowired: Sum.self, initializer: Sum.init(a:b:c:d:e:f:)))
        == [1, 2, 3, 4, 5, 6])
  }

  @Test func theServiceIsInferredFromTheInitializer() async throws {
    let container = Container {
      Registration(initializer: PetOwner.init)
      Registration(autowired: Pet.self, scope: .singleton, initializer: Pet.init)
    }
    let owner = try await container.resolve(PetOwner.self)
    #expect(try await container.resolve(Pet.self) === owner.pet)
    #expect(try await container.resolve(PetOwner.self) !== owner)
  }

  @Test func asynchronousAndMainActorInitializers() async throws {
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

  @Test func whatAnInitializerThrowsIsThrown() async throws {
    let container = Container {
      Registration(autowired: Pet.self, initializer: Pet.init)
      Registration(autowired: Picky.self, initializer: Picky.init)
    }
    await #expect(throws: Boom(number: 3)) { try await container.resolve(Picky.self) }
    #expect(throws: Boom(number: 3)) { try sync { try container.resolve(Picky.self) } }
  }

  @Test func aMissingDependencyIsNamedWithItsPath() async throws {
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

  @Test func anAsynchronousDependencyIsWaitedFor() async throws {
    let container = Container {
      Registration(Pet.self, scope: .singleton) { _ in
        await Task.yield()
        return Pet()
      }
      Registration(initializer: PetOwner.init)
    }
    let error = try resolutionError { try container.resolve(PetOwner.self) }
    #expect(error.code == .asyncRequired)
    #expect(error.service == Pet.self)
    let owner = try await container.resolve(PetOwner.self)
    #expect(try sync { try container.resolve(PetOwner.self) }.pet === owner.pet)
  }

  @Test func dependenciesAreKnownWithoutRunningAnything() throws {
    let registration = Registration(
      autowired: Sum.self,
      initializer: { (_: P1, _: P2?, _: [P3], _: Lazy<P4>, _: Provider<P5>) in Sum() })
    let dependencies = registration.binding.dependencies
    #expect(dependencies.map { "\($0.identity)" } == ["P1", "P2", "P3", "P4", "P5"])
    #expect(dependencies.map(\.need) == [.required, .optional, .all, .deferred, .deferred])
  }

  @Test func relationshipTypesAreParameters() async throws {
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
          var sum = Sum(a: one)
          sum.digits += [none?.n ?? 0] + threes.map(\.n)
          sum.digits += [try four().n, try five().n]
          return sum
        })
    }
    #expect(try await container.resolve(Sum.self).digits == [1, 0, 3, 33, 4, 5])
    #expect(try sync { try container.resolve(Sum.self) }.digits == [1, 0, 3, 33, 4, 5])
  }
}
