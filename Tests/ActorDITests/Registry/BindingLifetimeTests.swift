import ActorDITestSupport
import Testing

@testable import ActorDI

/// A registration whose factory holds a token. The token is freed with the binding.
private func registration(_ lifetime: ObjectLifetime) -> Registration<Polite> {
  let token = lifetime.token()
  return Registration(Polite.self, scope: .singleton) { _ in
    withExtendedLifetime(token) { Polite() }
  }
  .implements((any Greeter).self) { $0 }
}

@Suite("Releasing bindings", .timeLimit(.minutes(5)))
struct BindingLifetimeTests {
  @Test func replacingARegistrationFreesItsBinding() async throws {
    let lifetime = ObjectLifetime()
    let container = Container { registration(lifetime) }
    _ = try await container.resolve((any Greeter).self)
    try await container.register(Polite.self) { _ in Polite() }
    try await lifetime.ended.passed()
    #expect(container.registrationCount == 1)
  }

  @Test func unregisteringFreesTheBinding() async throws {
    let lifetime = ObjectLifetime()
    let container = Container { registration(lifetime) }
    _ = try await container.resolve(Polite.self)
    #expect(await container.unregister(Polite.self))
    try await lifetime.ended.passed()
  }

  @Test func freeingTheContainerFreesItsBindings() async throws {
    let lifetime = ObjectLifetime()
    do {
      let container = Container { registration(lifetime) }
      _ = try await container.resolve(Polite.self)
    }
    try await lifetime.ended.passed()
  }

  @Test func aFailedBatchFreesItsBindings() async throws {
    let lifetime = ObjectLifetime()
    let container = Container(configuration: .init(duplicates: .error)) {
      Registration(Probe.self) { _ in Probe() }
    }
    func fail() async throws -> ResolutionError {
      let registration = registration(lifetime)
      return try await asyncResolutionError {
        try await container.register {
          registration
          Registration(Probe.self) { _ in Probe() }
        }
      }
    }
    #expect(try await fail().code == .duplicate)
    #expect(lifetime.hasEnded)
  }

  @Test func aRunningFactoryRetainsItsBinding() async throws {
    let (lifetime, begun, gate) = (ObjectLifetime(), Gate(), Gate())
    let container = Container()
    func register() async throws {
      let token = lifetime.token()
      try await container.register(Probe.self) { _ in
        begun.open()
        gate.block()
        return withExtendedLifetime(token) { Probe("old") }
      }
    }
    try await register()
    let old = Task { try await onThread { try container.resolve(Probe.self).name } }
    try await begun.passed()
    try await container.register(Probe.self) { _ in Probe("new") }
    Reclaimer.shared.collect()
    #expect(lifetime.hasEnded == false)
    #expect(try await container.resolve(Probe.self).name == "new")
    gate.open()
    #expect(try await old.value == "old")
    try await lifetime.ended.passed()
  }

  @Test func aProviderRetainsAReplacedBindingUntilItsRelease() async throws {
    let lifetime = ObjectLifetime()
    let container = Container { registration(lifetime) }
    do {
      let provider = container.provider(for: Polite.self)
      let polite = try await provider()
      try await container.register(Polite.self, scope: .singleton) { _ in Polite() }
      #expect(try await provider() !== polite)
    }
    try await lifetime.ended.passed()
  }
}
