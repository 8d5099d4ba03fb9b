import ActorDITestSupport
import Testing

@testable import ActorDI

private protocol Station: Sendable { var name: String { get } }
private struct Plain: Station { var name = "plain" }
private struct Failure: Error {}

@globalActor private actor Registry: GlobalActor {
  static let shared = Registry()
}

@Registry private var registryNumber: Int { 9 }
@MainActor private var mainNumber: Int { 7 }

/// Services without dependencies: `Registration(autowired: X.self) { X() }`.
struct AutowiredClosureTests {
  private let container = Container {
    Registration(autowired: (any Station).self, scope: .singleton) { Plain() }
    Registration(autowired: Int.self) { 3 }
    Registration(autowired: String.self, scope: .shared) {
      await Task.yield()
      return "slow"
    }
    Registration(autowired: Int8.self) { @MainActor in
      MainActor.assertIsolated()
      return Int8(mainNumber)
    }
    Registration(autowired: Int16.self, isolation: Registry.self) { @Registry in Int16(registryNumber) }
    Registration(autowired: Double.self, scope: .singleton) { 2.5 }
  }

  @Test func everyKindOfClosureCanHaveNoParameters() async throws {
    #expect(try await container.resolve((any Station).self).name == "plain")
    #expect(try await container.resolve(Int.self) == 3)
    #expect(try await container.resolve(String.self) == "slow")
    #expect(try await container.resolve(Int8.self) == 7)
    #expect(try await container.resolve(Int16.self) == 9)
    #expect(try await container.resolve(Double.self) == 2.5)
  }

  @Test func aClosureWithoutParametersIsNotOpaqueAndHasNoDependencies() async throws {
    let report = try await container.validate()
    #expect(report.opaque.isEmpty)
    #expect(container.registrations.allSatisfy { $0.dependencies.isEmpty })
    #expect(
      container.registrations.map(\.scope.description) == [
        "singleton", "transient", "shared", "transient", "transient", "singleton",
      ])
    let opaque = Container { Registration(Int.self) { _ in 3 } }
    #expect(try await opaque.validate().opaque.count == 1)
  }

  @Test func aKeptServiceOfAClosureWithoutParametersIsTheContainersOwnUnderOverrides() async throws {
    final class Service: Sendable {}
    let container = Container {
      Registration(autowired: Service.self, scope: .singleton) { Service() }
      Registration(autowired: Int.self) { 1 }
    }
    // Nothing has run yet: a closure with a resolver would count as if it used the override.
    let overridden = try await container.withOverrides {
      Registration(autowired: Int.self) { 2 }
    } operation: { () async throws in
      #expect(try await container.resolve(Int.self) == 2)
      return try await container.resolve(Service.self)
    }
    #expect(try await container.resolve(Service.self) === overridden)
  }

  @Test func theErrorOfAClosureWithoutParametersIsThrownAsItIs() async throws {
    let container = Container {
      Registration(autowired: Int.self) { if true { throw Failure() } }
      Registration(autowired: String.self) {
        await Task.yield()
        if true { throw Failure() }
      }
    }
    await #expect(throws: Failure.self) { try await container.resolve(Int.self) }
    await #expect(throws: Failure.self) { try await container.resolve(String.self) }
  }

  @Test func anAsynchronousClosureWithoutParametersRequiresAnAsynchronousCaller() throws {
    let error = try resolutionError { try container.resolve(Int16.self) }
    #expect(error.code == .asyncRequired)
  }

  @Test func modifiersApplyToAClosureWithoutParameters() async throws {
    let container = Container {
      Registration(autowired: Plain.self, scope: .singleton) { Plain() }.key("k").implements((any Station).self) { $0 }
    }
    #expect(try await container.resolve((any Station).self, key: "k").name == "plain")
    #expect(
      try #require(container.registrations.first).source.fileID.description.hasSuffix("AutowiredClosureTests.swift"))
  }
}
