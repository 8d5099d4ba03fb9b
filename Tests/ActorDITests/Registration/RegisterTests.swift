import ActorDITestSupport
import Testing

@testable import ActorDI

private final class Draft {
  let text: String
  init(_ text: String) { self.text = text }
}

@Suite("Registering at run time", .timeLimit(.minutes(5)))
struct RegisterTests {
  @Test func registerTakesFactoriesInAllForms() async throws {
    let container = Container()
    try await container.register(Probe.self) { _ in Probe("sync") }
    try await container.register(Probe.self, key: 1) { _ in Probe("keyed") }
    try await container.register(Probe.self, key: 2, scope: .singleton) { _ in Probe("kept") }
    try await container.register(Probe.self, key: 3, scope: .singleton) { _ in
      await Task.yield()
      return Probe("async")
    }
    try await container.register(Probe.self, key: 4) { _ in
      await Task.yield()
      return Probe("async transient")
    }
    try await container.register(Probe.self, key: 5, scope: .shared) { @MainActor _ in Probe("main") }
    try await container.register(Probe.self, key: 6) { @MainActor _ in Probe("main transient") }
    try await container.register { _ in Leaf("inferred") }
    #expect(try await container.resolve(Probe.self).name == "sync")
    let names = ["keyed", "kept", "async", "async transient", "main", "main transient"]
    for (index, name) in names.enumerated() {
      #expect(try await container.resolve(Probe.self, key: index + 1).name == name)
    }
    #expect(try await container.resolve(Leaf.self).next as? String == "inferred")
    #expect(container.registrationCount == 8)
    #expect(try await container.resolve(Probe.self, key: 3) === container.resolve(Probe.self, key: 3))
    #expect(try await container.resolve(Probe.self, key: 4) !== container.resolve(Probe.self, key: 4))
  }

  @Test func registerTakesFactoriesWithArguments() async throws {
    let container = Container()
    try await container.register(Probe.self) { (_: Resolver, name: String) in Probe(name) }
    try await container.register(Probe.self, key: 1, scope: .singleton) { (_: Resolver, name: String) in
      await Task.yield()
      return Probe("async \(name)")
    }
    try await container.register(Probe.self, key: 2) { @MainActor (_: Resolver, name: String, count: Int) in
      Probe("\(name) \(count)")
    }
    #expect(try await container.resolve(Probe.self, arguments: "a").name == "a")
    #expect(try await container.resolve(Probe.self, key: 1, arguments: "b").name == "async b")
    #expect(try await container.resolve(Probe.self, key: 2, arguments: "c", 3).name == "c 3")
  }

  @Test func registerTakesNonSendableServices() async throws {
    let container = Container()
    try await container.register(Draft.self) { _ in Draft("sync") }
    try await container.register(Draft.self, key: 1) { _ in
      await Task.yield()
      return Draft("async")
    }
    try await container.register(Draft.self) { (_: Resolver, text: String) in Draft(text) }
    #expect(try await container.resolve(Draft.self).text == "sync")
    #expect(try await container.resolve(Draft.self, key: 1).text == "async")
    #expect(try await container.resolve(Draft.self, arguments: "given").text == "given")
  }

  @Test func autoregisterTakesInitialisersInAllForms() async throws {
    let container = Container()
    try await container.autoregister(Alpha.self, scope: .singleton, initializer: Alpha.init)
    try await container.autoregister(initializer: Beta.init)
    try await container.autoregister(Gamma.self, key: "g", initializer: Gamma.init)
    try await container.autoregister(Probe.self, arguments: String.self, initializer: Probe.init)
    try await container.autoregister(Root.self, scope: .singleton) { (alpha: Alpha) async throws in
      await Task.yield()
      return Root(alpha)
    }
    try await container.autoregister(Leaf.self) { @MainActor (alpha: Alpha) in Leaf(alpha) }
    let alpha = try await container.resolve(Alpha.self)
    #expect(try await container.resolve(Beta.self).alpha === alpha)
    #expect(try await container.resolve(Gamma.self, key: "g").alpha === alpha)
    #expect(try await container.resolve(Probe.self, arguments: "x").name == "x")
    #expect(try await container.resolve(Root.self).next as? Alpha === alpha)
    #expect(try await container.resolve(Leaf.self).next as? Alpha === alpha)
  }

  @Test func aLaterRegistrationReplacesAnEarlierOne() async throws {
    let container = Container { Registration(Probe.self, scope: .singleton) { _ in Probe("first") } }
    let first = try await container.resolve(Probe.self)
    try await container.register(Probe.self, scope: .singleton) { _ in Probe("second") }
    #expect(container.resolveIfReady(Probe.self) == nil)
    #expect(try await container.resolve(Probe.self).name == "second")
    #expect(first.name == "first")
    #expect(container.registrationCount == 1)
    try await container.register {
      Registration(Probe.self) { _ in Probe("third") }
      Registration(Probe.self) { _ in Probe("fourth") }
    }
    #expect(try await container.resolve(Probe.self).name == "fourth")
    #expect(container.registrationCount == 1)
  }

  @Test func registrationsOfDifferentIdentitiesAreNoDuplicates() async throws {
    let container = Container(configuration: .init(duplicates: .error))
    try await container.register {
      Registration(Probe.self) { _ in Probe() }
      Registration(Probe.self) { _ in Probe() }.key(1)
      Registration(Probe.self) { (_: Resolver, _: Int) in Probe() }
      Registration(Probe.self) { (_: Resolver, _: Int) in Probe() }.key(1)
      Registration(Probe.self) { (_: Resolver, _: Int?) in Probe() }
      Registration(Probe?.self) { _ in nil }
    }
    #expect(container.registrationCount == 6)
  }

  @Test func aContainerCanRefuseDuplicates() async throws {
    let container = Container(configuration: .init(duplicates: .error)) {
      Registration(Probe.self, scope: .singleton) { _ in Probe("first") }
    }
    let probe = try await container.resolve(Probe.self)
    let error = try await asyncResolutionError {
      try await container.register(Probe.self) { _ in Probe("second") }
    }
    #expect(error.code == .duplicate)
    #expect(error.service == Probe.self)
    #expect(error.description.contains("RegisterTests.swift"), "The error names the first registration's location")
    #expect(try await container.resolve(Probe.self) === probe)
  }

  @Test func aDuplicateAliasIsRefused() async throws {
    let container = Container(configuration: .init(duplicates: .error)) {
      Registration((any Greeter).self) { _ in Polite() }
    }
    let error = try await asyncResolutionError {
      try await container.register(
        Registration(Casual.self) { _ in Casual() }.implements((any Greeter).self) { $0 })
    }
    #expect(error.code == .duplicate)
    #expect(container.contains(Casual.self) == false)
    #expect(container.registrationCount == 1)
  }

  @Test func aDuplicateInTheFirstBatchFailsTheResolve() async throws {
    let container = Container(configuration: .init(duplicates: .error)) {
      Registration(Probe.self) { _ in Probe("first") }
      Registration(Probe.self) { _ in Probe("second") }
      Registration(Leaf.self) { _ in Leaf("sync") }
      Registration(Leaf.self) { _ in
        await Task.yield()
        return Leaf("async")
      }
      Setting(number: 5)
    }
    let error = try sync { try resolutionError { try container.resolve(Probe.self) } }
    #expect(error.code == .duplicate)
    let asyncError = try await asyncResolutionError { try await container.resolve(Leaf.self) }
    #expect(asyncError.code == .duplicate)
    #expect(try await container.resolve(Setting.self).number == 5)
  }

  @Test func aFailedBatchChangesNothing() async throws {
    let container = Container(configuration: .init(duplicates: .error)) {
      Registration(Probe.self, scope: .singleton) { _ in Probe("first") }
    }
    let probe = try await container.resolve(Probe.self)
    let before = container.registrations.map(\.description)
    for _ in 0..<3 {
      let error = try await asyncResolutionError {
        try await container.register {
          for key in 0..<200 { Registration(Probe.self) { _ in Probe() }.key(key) }
          Registration(Polite.self) { _ in Polite() }.implements((any Greeter).self) { $0 }
          Registration(Probe.self) { _ in Probe("second") }
          Registration(Leaf.self) { _ in Leaf() }
        }
      }
      #expect(error.code == .duplicate)
      #expect(container.registrations.map(\.description) == before)
      #expect(container.contains(Probe.self, key: 1) == false)
      #expect(container.contains((any Greeter).self) == false)
      #expect(container.contains(Leaf.self) == false)
      #expect(try await container.resolve(Probe.self) === probe)
    }
  }

  @Test func unregisteringRemovesAllArgumentVariantsOfOneKey() async throws {
    let container = Container {
      Registration(Probe.self) { _ in Probe() }
      Registration(Probe.self) { (_: Resolver, name: String) in Probe(name) }
      Registration(Probe.self) { _ in Probe("keyed") }.key("k")
    }
    #expect(await container.unregister(Probe.self))
    #expect(container.contains(Probe.self) == false)
    let error = try await asyncResolutionError {
      try await container.resolve(Probe.self, arguments: "x")
    }
    #expect(error.code == .notRegistered)
    #expect(try await container.resolve(Probe.self, key: "k").name == "keyed")
    #expect(await container.unregister(Probe.self) == false)
    #expect(await container.unregister(Probe.self, key: "other") == false)
    #expect(await container.unregister(Probe.self, key: "k"))
    #expect(container.registrationCount == 0)
  }

  @Test func unregisteringReleasesTheInstance() async throws {
    let lifetime = ObjectLifetime()
    let container = Container {
      Registration(ObjectLifetime.Token.self, scope: .singleton) { _ in lifetime.token() }
    }
    _ = try await container.resolve(ObjectLifetime.Token.self)
    #expect(await container.unregister(ObjectLifetime.Token.self))
    await lifetime.ended.wait()
    try await container.register(ObjectLifetime.Token.self, scope: .singleton) { _ in ObjectLifetime().token() }
    _ = try await container.resolve(ObjectLifetime.Token.self)
  }

  @Test func thousandsOfRegistrationsCanBeAddedAndRemoved() async throws {
    let container = Container()
    for key in 0..<500 {
      try await container.register(Int.self, key: key, scope: .singleton) { _ in key }
    }
    try await container.register {
      for key in 500..<1500 { Registration(Int.self) { _ in key }.key(key) }
    }
    #expect(container.registrationCount == 1500)
    for key in 0..<1500 { #expect(try sync { try container.resolve(Int.self, key: key) } == key) }
    for key in 0..<1500 where key % 3 != 0 { await container.unregister(Int.self, key: key) }
    #expect(container.registrationCount == 500)
    for key in 0..<1500 { #expect(container.contains(Int.self, key: key) == (key % 3 == 0)) }
    #expect(container.registrations.compactMap { $0.key as? Int } == (0..<1500).filter { $0 % 3 == 0 })
  }
}
