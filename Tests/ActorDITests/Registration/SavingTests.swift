import ActorDITestSupport
import Testing

@testable import ActorDI

@Suite("push, pop and freeze")
struct SavingTests {
  @Test func popRestoresTheRegistrationsSavedByPush() async throws {
    let container = Container {
      Registration(String.self) { _ in "first" }
      Registration(Int.self) { _ in 1 }
      Registration(Probe.self, scope: .singleton) { _ in Probe() }
    }
    let probe = try await container.resolve(Probe.self)
    let provider = container.provider(for: Probe.self)
    await container.push()
    try await container.register {
      Registration(String.self) { _ in "second" }
      Registration(Double.self) { _ in 2 }
      Registration(Probe.self, scope: .singleton) { _ in Probe("other") }
    }
    await container.unregister(Int.self)
    #expect(try await container.resolve(String.self) == "second")
    #expect(try await container.resolve(Probe.self).name == "other")
    #expect(try provider.synchronously().name == "other")
    #expect(!container.contains(Int.self))
    #expect(await container.pop())
    #expect(try await container.resolve(String.self) == "first")
    #expect(try await container.resolve(Int.self) == 1)
    #expect(!container.contains(Double.self))
    #expect(try await container.resolve(Probe.self) === probe)
    #expect(try provider.synchronously() === probe)
    #expect(container.registrations.map(\.description).map { $0.prefix(3) } == ["Str", "Int", "Pro"])
  }

  @Test func pushAndPopNest() async throws {
    let container = Container { Registration(Int.self) { _ in 0 } }
    for number in 1...3 {
      await container.push()
      try await container.register(Int.self) { _ in number }
    }
    for number in (0..<3).reversed() {
      #expect(await container.pop())
      #expect(try await container.resolve(Int.self) == number)
    }
    #expect(await !container.pop())
    #expect(try await container.resolve(Int.self) == 0)
  }

  @Test func popRestoresDecoratorsAliasesAndAlternatives() async throws {
    let container = Container {
      Registration(Polite.self, scope: .singleton) { _ in Polite() }
        .implements((any Greeter).self) { $0 }
      Registration(autowired: Beta.self, scope: .singleton, initializer: Beta.init)
      Registration(autowired: Beta.self, scope: .singleton) { (alpha: Alpha, _: Int) in Beta(alpha: alpha) }
        .alternative()
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
    }
    let (polite, beta) = (
      try await container.resolve(Polite.self), try await container.resolve(Beta.self)
    )
    await container.push()
    try await container.decorate((any Greeter).self) { _, inner in ValueGreeter(words: inner.greet() + "!") }
    try await container.register(
      Registration(autowired: Beta.self) { (alpha: Alpha, _: Double) in Beta(alpha: alpha) }.alternative())
    #expect(try await container.resolve((any Greeter).self).greet() == "Good day!")
    await container.unregister(Beta.self)
    await container.unregister(Polite.self)
    #expect(container.registrationCount == 1)
    await container.pop()
    #expect(try await container.resolve((any Greeter).self) as? Polite === polite)
    #expect(try await container.resolve(Beta.self) === beta)
    // The removed decorator does not apply to later registrations either.
    try await container.register((any Greeter).self) { _ in Casual() }
    #expect(try await container.resolve((any Greeter).self).greet() == "Hi")
    #expect(await container.unregister(Beta.self))
    #expect(!container.contains(Beta.self))
  }

  @Test func popReleasesLaterRegistrations() async throws {
    let lifetime = ObjectLifetime()
    let container = Container()
    await container.push()
    try await container.register(ObjectLifetime.Token.self, scope: .singleton) { _ in lifetime.token() }
    _ = try await container.resolve(ObjectLifetime.Token.self)
    await container.pop()
    await lifetime.ended.wait()
  }

  @Test func freeingTheContainerReleasesSavedRegistrations() async throws {
    let lifetime = ObjectLifetime()
    do {
      let container = Container {
        Registration(ObjectLifetime.Token.self, scope: .singleton) { _ in lifetime.token() }
          .implements((any Sendable).self) { $0 }
      }
      _ = try await container.resolve(ObjectLifetime.Token.self)
      await container.push()
      try await container.decorate(ObjectLifetime.Token.self) { _, inner in inner }
      _ = try await container.resolve(ObjectLifetime.Token.self)
      await container.unregister(ObjectLifetime.Token.self)
    }
    await lifetime.ended.wait()
  }

  @Test func aFrozenContainerRefusesChanges() async throws {
    let container = Container(name: "iced") {
      Registration(Probe.self, scope: .singleton) { _ in Probe() }
    }
    await container.push()
    await container.freeze()
    let probe = try await container.resolve(Probe.self)
    for attempt in [
      { @Sendable in try await container.register(Int.self) { _ in 1 } },
      { @Sendable in try await container.register { Registration(Int.self) { _ in 1 } } },
      { @Sendable in try await container.decorate(Probe.self) { _, inner in inner } },
      { @Sendable in try await container.rebuild() },
    ] as [@Sendable () async throws -> Void] {
      let error = await #expect(throws: ResolutionError.self) { try await attempt() }
      #expect(error?.code == .frozen)
      #expect(error?.description.contains("iced") == true)
    }
    #expect(await !container.unregister(Probe.self))
    #expect(await !container.pop())
    #expect(try await container.resolve(Probe.self) === probe)
    await container.reset()
    #expect(try await container.resolve(Probe.self) !== probe)
    // A child has a registry of its own.
    try await Container(parent: container).register(Int.self) { _ in 1 }
  }

  // A regression: only the numbers of decorators were compared.
  @Test func poppingRestoresTheDecoratorsThatARebuildHasReplaced() async throws {
    let isChanged = Shelf(false)
    let parent = Container { Registration(String.self) { _ in "plain" } }
    let child = Container(parent: parent) {
      if isChanged.value {
        Decorator(String.self) { _, inner in "second " + inner }
      } else {
        Decorator(String.self) { _, inner in "first " + inner }
      }
    }
    await child.push()
    isChanged.value = true
    try await child.rebuild()
    #expect(try sync { try child.resolve(String.self) } == "second plain")
    await child.pop()
    #expect(try sync { try child.resolve(String.self) } == "first plain")
  }
}
