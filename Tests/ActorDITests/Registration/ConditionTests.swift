import ActorDITestSupport
import Synchronization
import Testing

@testable import ActorDI

@Suite("Conditional registration")
struct ConditionTests {
  @Test func aFalseConditionOmitsTheRegistration() async throws {
    let container = Container {
      Registration(String.self) { _ in "always" }.when { true }
      Registration(Int.self) { _ in 1 }.when { false }
      Registration(Double.self) { _ in 1 }.when { true }.when { false }
    }
    #expect(try await container.resolve(String.self) == "always")
    #expect(!container.contains(Int.self))
    #expect(!container.contains(Double.self))
    #expect(container.registrationCount == 1)
    try await container.register(Registration(Int.self) { _ in 2 }.when { false })
    #expect(!container.contains(Int.self))
  }

  @Test func eachRegisteringEvaluatesTheConditionOnce() async throws {
    let runs = Counter()
    let registration = Registration(String.self) { _ in "" }.when {
      runs.increment()
      return true
    }
    let container = Container { registration }
    #expect(runs.count == 1)
    try await container.register(registration)
    #expect(runs.count == 2)
  }

  @Test func aFaultyRegistrationWithAFalseConditionIsIgnored() async throws {
    let container = Container()
    try await container.register {
      Registration(Probe.self) { _ in Probe() }.inheritKey().when { false }
    }
    #expect(container.registrationCount == 0)
  }

  @Test func ifNotRegisteredAddsOnlyAnUnregisteredIdentity() async throws {
    let container = Container {
      Registration(String.self) { _ in "first" }.ifNotRegistered()
      Registration(String.self) { _ in "second" }.ifNotRegistered()
      Registration(String.self) { _ in "keyed" }.key("k").ifNotRegistered()
    }
    #expect(try await container.resolve(String.self) == "first")
    #expect(try await container.resolve(String.self, key: "k") == "keyed")
    try await container.register { Registration(String.self) { _ in "third" }.ifNotRegistered() }
    #expect(try await container.resolve(String.self) == "first")
    try await container.register { Registration(String.self) { _ in "fourth" } }
    #expect(try await container.resolve(String.self) == "fourth")
    #expect(container.registrationCount == 2)
  }

  @Test func anOmittedRegistrationOmitsItsAliases() throws {
    let container = Container {
      Registration(Polite.self) { _ in Polite() }
      Registration(Polite.self) { _ in Polite() }.implements((any Greeter).self) { $0 }
        .ifNotRegistered()
    }
    #expect(!container.contains((any Greeter).self))
  }

  @Test func ifNotRegisteredIsNoDuplicate() async throws {
    let container = Container(configuration: .init(duplicates: .error)) {
      Registration(String.self) { _ in "first" }
      Registration(String.self) { _ in "second" }.ifNotRegistered()
    }
    #expect(try await container.resolve(String.self) == "first")
    let error = await #expect(throws: ResolutionError.self) {
      try await container.register {
        Registration(Int.self) { _ in 1 }.ifNotRegistered()
        Registration(Int.self) { _ in 2 }
      }
    }
    #expect(error?.code == .duplicate)
    #expect(!container.contains(Int.self))
  }

  @Test func ifNotRegisteredIgnoresTheParentsRegistrations() throws {
    let parent = Container { Registration(String.self) { _ in "parent" } }
    let child = Container(parent: parent) {
      Registration(String.self) { _ in "child" }.ifNotRegistered()
    }
    #expect(try child.resolve(String.self) == "child")
  }

  @Test("Concurrent ifNotRegistered registrations of one identity add one")
  func concurrentRegistrations() async throws {
    let container = Container()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<50 {
        group.addTask {
          try? await container.register {
            Registration(Int.self, scope: .singleton) { _ in number }.ifNotRegistered()
          }
          _ = try? await container.resolve(Int.self)
        }
      }
    }
    let winner = try await container.resolve(Int.self)
    #expect(container.resolveIfReady(Int.self) == winner)
    #expect(container.registrationCount == 1)
  }
}
