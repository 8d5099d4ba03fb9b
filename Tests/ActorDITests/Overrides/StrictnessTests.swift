import ActorDITestSupport
import Synchronization
import Testing

@testable import ActorDI

private final class Network: Sendable {
  let name: String
  init(_ name: String = "real") { self.name = name }
}
private final class Shop: Sendable {
  let network: Network
  init(network: Network) { self.network = network }
}
private final class Catalog: Sendable {}
private protocol Wire: Sendable { var network: Network { get } }
private struct Cable: Wire { let network: Network }

extension ServiceKey where Service == Network {
  fileprivate static var uplink: Self { Self("uplink") { Registration { _ in Network("uplink") }.external() } }
  fileprivate static var listed: Self { Self("listed") }
}

/// Strict operations, which refuse external services: `Registration.external()`.
@Suite("Strictness", .timeLimit(.minutes(5)))
struct StrictnessTests {
  private let made = Counter()
  private let container: Container

  init() {
    let made = made
    container = Container(name: "app") {
      Registration(Network.self, scope: .singleton) { _ in
        made.increment()
        return Network()
      }
      .external()
      Registration(Network.self) { _ in Network("keyed") }.key("key").external()
      Registration(.listed) { _ in Network("token") }.external()
      Registration(Network.self) { (_, name: String) in Network(name) }.external()
      Registration(Setting.self, scope: .singleton, isolation: MainActor.self) { _ in Setting() }
      Registration(autowired: Shop.self, scope: .singleton, initializer: Shop.init)
      Registration(autowired: Catalog.self, scope: .singleton, initializer: Catalog.init)
    }
  }

  /// Expects that a resolve is refused, and returns the error's path.
  @discardableResult
  private func refused<Value>(
    _ sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Value
  ) async throws -> [String] {
    let error = try await asyncResolutionError(sourceLocation: sourceLocation, body)
    #expect(error.code == .external, "\(error)", sourceLocation: sourceLocation)
    return error.path
  }

  private func refusedAtOnce<Value>(
    _ sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Value
  ) throws {
    let error = try resolutionError(sourceLocation: sourceLocation, body)
    #expect(error.code == .external, "\(error)", sourceLocation: sourceLocation)
  }

  // MARK: Which resolves

  @Test(arguments: [false, true])
  func everyFormOfResolveIsRefused(existing: Bool) async throws {
    if existing { _ = try await container.resolve(Network.self) }
    try await container.withOverrides(strict: true) {
    } operation: { () async throws in
      try await refused { try await container.resolve(Network.self) }
      try await refused { try await container.resolve(Network.self, key: "key") }
      try await refused { try await container.resolve(.listed) }
      try await refused { try await container.resolve(.uplink) }
      try await refused { try await container.resolve(Network.self, arguments: "x") }
      try await refused { try await container.resolve(Network?.self) }
      try await refused { try await container.resolve([Network].self) }
      try await refused { try await container.resolve([String: Network].self) }
      try await refused { try await container.resolve(Owned<Network>.self) }
      try await refused { try await container.resolveAny(Network.self) }
      let lazy = try await container.resolve(Lazy<Network>.self)
      let provider = try await container.resolve(Provider<Network>.self)
      try await refused { try await lazy() }
      try await refused { try await provider() }
      try await refused { try await provider("x") }
      try await refused { try await Injected<Network>(from: container)() }
      #expect(container.resolveIfReady(Network.self) == nil)
      try sync { () throws in
        try refusedAtOnce { try container.resolve(Network.self) }
        try refusedAtOnce { try container.resolve(.uplink) }
        try refusedAtOnce { try container.resolve(Network.self, arguments: "x") }
        try refusedAtOnce { try container.withResolved(Network.self) { $0.name } }
        try refusedAtOnce { try container.provider(for: Network.self).synchronously() }
        try refusedAtOnce { try container.resolve([Network].self) }
      }
      #expect(container.contains(Network.self) && container.contains(.uplink))
    }
    #expect(made.count == (existing ? 1 : 0))
    #expect(try await container.resolve(Network.self).name == "real")
    #expect(try await container.resolve(.uplink).name == "uplink")
  }

  @Test func theErrorNamesThePathAndTheLine() async throws {
    let line = #line + 1
    let container = Container { Registration(autowired: Network.self) { Network() }.external() }
    try await container.withOverrides(strict: true) {
      Registration(autowired: Shop.self, initializer: Shop.init)
    } operation: { () async throws in
      let error = try await asyncResolutionError { try await container.resolve(Shop.self) }
      #expect(error.code == .external)
      #expect(error.path == ["Shop", "Network"])
      #expect(error.is(Network.self))
      #expect(
        error.description == """
          Network is external, and no override replaces it in this strict test.
          Registered as external at ActorDIOverridesTests/StrictnessTests.swift:\(line).
          Resolution path: Shop -> Network
          Override it for the test, or remove what resolves it.
          """)
    }
  }

  @Test func withoutStrictnessExternalServicesAreLikeOthers() async throws {
    try await container.withOverrides {
    } operation: { () async throws in
      #expect(try await container.resolve(Shop.self).network.name == "real")
    }
    let info = container.registrations
    #expect(info.filter(\.isExternal).count == 4)
    #expect(info.filter { $0.is(Shop.self) }.allSatisfy { !$0.isExternal })
  }

  @Test func aSynchronousOperationCanBeStrict() throws {
    try container.withOverrides(strict: true) {
    } operation: { () throws in
      try refusedAtOnce { try container.resolve(Shop.self) }
      _ = try container.resolve(Catalog.self)
    }
    #expect(try container.resolve(Shop.self).network.name == "real")
  }

  @Test func anIgnoredErrorComesAgain() async throws {
    let container = Container {
      Registration(autowired: Network.self, scope: .singleton) { Network() }.external()
      Registration(Root.self, scope: .singleton) { r in Root(try? r.resolve(Network.self)) }
    }
    let reported = Counter()
    let strictness = Strictness { _ in
      reported.increment()
      return nil
    }
    try await container.withOverrides(Registrations(), strictness) { () async throws in
      #expect(try await container.resolve(Root.self).next == nil)
      // The instance is kept for the operation.
      #expect(try await container.resolve(Root.self).next == nil)
      #expect(reported.count == 1)
      try await refused { try await container.resolve(Network.self) }
      #expect(reported.count == 2)
    }
    #expect(try await container.resolve(Root.self).next is Network)
  }

  // MARK: Overrides

  @Test func anOverrideReplacesAnExternalService() async throws {
    let real = try await container.resolve(Shop.self)
    try await container.withOverrides(strict: true) {
      Registration(autowired: Network.self) { Network("fake") }
      Registration(autowired: Network.self) { Network("fake keyed") }.key("key").external()
    } operation: { () async throws in
      #expect(try await container.resolve(Network.self).name == "fake")
      #expect(try await container.resolve(Shop.self).network.name == "fake")
      // An external override was asked for by the test itself.
      #expect(try await container.resolve(Network.self, key: "key").name == "fake keyed")
      try await refused { try await container.resolve(.listed) }
    }
    #expect(try await container.resolve(Shop.self) === real)
    #expect(made.count == 1)
  }

  @Test func overridesOfEnclosingOperationsCount() async throws {
    try await container.withOverrides {
      Registration(autowired: Network.self, scope: .singleton) { Network("outer") }
    } operation: {
      try await container.withOverrides(strict: true) {
      } operation: { () async throws in
        #expect(try await container.resolve(Shop.self).network.name == "outer")
        try await refused { try await container.resolve(Network.self, key: "key") }
      }
    }
  }

  @Test func aStrictOperationStaysStrictWithinAnother() async throws {
    try await container.withOverrides(strict: true) {
    } operation: {
      try await container.withOverrides {
        Registration(autowired: Network.self) { Network("inner") }.key("key")
      } operation: { () async throws in
        #expect(try await container.resolve(Network.self, key: "key").name == "inner")
        #expect(try await refused { try await container.resolve(Shop.self) } == ["Shop", "Network"])
      }
      try await container.withOverrides {
        Registration(autowired: Network.self, scope: .singleton) { Network("inner") }
      } operation: { () async throws in
        #expect(try await container.resolve(Shop.self).network.name == "inner")
      }
      try await refused { try await container.resolve(Shop.self) }
    }
    #expect(made.count == 0)
  }

  // MARK: Kept services

  @Test(arguments: [false, true])
  func aKeptServiceWithAnExternalDependencyIsBuiltAgainAndFails(existing: Bool) async throws {
    let real = existing ? try await container.resolve(Shop.self) : nil
    try await container.withOverrides(strict: true) {
    } operation: { () async throws in
      #expect(try await refused { try await container.resolve(Shop.self) } == ["Shop", "Network"])
      try sync { () throws in try refusedAtOnce { try container.resolve(Shop.self) } }
    }
    let shop = try await container.resolve(Shop.self)
    if let real { #expect(shop === real) }
    #expect(made.count == 1)
  }

  @Test func otherKeptServicesRemainTheContainersOwn() async throws {
    let real = try await container.resolve(Catalog.self)
    try await container.withOverrides(strict: true) {
    } operation: { () async throws in
      #expect(try await container.resolve(Catalog.self) === real)
    }
  }

  @Test func anAsynchronousKeptServiceFailsWithItsPath() async throws {
    let container = Container {
      Registration(autowired: Network.self, scope: .singleton) { Network() }.external()
      Registration(Shop.self, scope: .singleton) { r async throws in
        await Task.yield()
        return Shop(network: try await r.resolve())
      }
      Registration(Root.self, scope: .shared) { r async throws in Root(try await r.resolve(Shop.self)) }
    }
    let real = try await container.resolve(Root.self)
    try await container.withOverrides(strict: true) {
    } operation: { () async throws in
      try await withThrowingTaskGroup { group in
        for _ in 0..<8 {
          group.addTask { () async throws in
            #expect(try await refused { try await container.resolve(Root.self) } == ["Root", "Shop", "Network"])
          }
        }
        try await group.waitForAll()
      }
    }
    #expect(try await container.resolve(Root.self) === real)
  }

  // MARK: Other forms of registration

  @Test func aliasesAndDecoratorsOfExternalServicesAreRefused() async throws {
    let container = Container {
      Registration(autowired: Cable.self, scope: .singleton) { Cable(network: Network()) }.external()
        .implements((any Wire).self) { $0 }
      Registration(Network.self, scope: .singleton) { _ in Network() }.external()
        .decorated { _, inner in Network("decorated \(inner.name)") }
    }
    _ = try await container.resolve((any Wire).self)
    #expect(container.registrations.allSatisfy { $0.isExternal })
    try await container.withOverrides(strict: true) {
    } operation: { () async throws in
      #expect(try await refused { try await container.resolve((any Wire).self) } == ["any Wire", "Cable"])
      #expect(try await refused { try await container.resolve(Network.self) } == ["Network"])
    }
    try await container.withOverrides(strict: true) {
      Registration(autowired: Cable.self) { Cable(network: Network("fake")) }
      // Decorates the external service, and does not replace it.
      Decorator(Network.self) { _, inner in Network("twice \(inner.name)") }
    } operation: { () async throws in
      #expect(try await container.resolve((any Wire).self).network.name == "fake")
      try await refused { try await container.resolve(Network.self) }
    }
  }

  @Test func theChosenCandidateDecides() async throws {
    let container = Container {
      Registration(autowired: Shop.self) { Shop(network: Network("candidate")) }
      Registration(autowired: Shop.self) { (_: Catalog) in Shop(network: Network()) }.alternative().external()
    }
    try await container.withOverrides(strict: true) {
    } operation: { () async throws in
      #expect(try await container.resolve(Shop.self).network.name == "candidate")
      try await container.register(Catalog.self) { _ in Catalog() }
      try await refused { try await container.resolve(Shop.self) }
    }
  }

  @Test func registeredInstancesCanBeExternal() async throws {
    let container = Container { Registration(instance: Network()).external() }
    #expect(try await container.resolve(Network.self).name == "real")
    try await container.withOverrides(strict: true) {
    } operation: { () async throws in
      try await refused { try await container.resolve(Network.self) }
      try await container.withScope { scope in
        _ = try await refused { try await scope.resolve(Network.self) }
      }
    }
  }

  @Test func servicesRegisteredDuringTheOperationAreRefused() async throws {
    let container = Container { Registration(autowired: Shop.self, scope: .singleton, initializer: Shop.init) }
    try await container.withOverrides(strict: true) {
    } operation: { () async throws in
      let missing = try await asyncResolutionError { try await container.resolve(Shop.self) }
      #expect(missing.code == .notRegistered)
      try await container.register(Registration(autowired: Network.self) { Network("late") }.external())
      try await refused { try await container.resolve(Shop.self) }
    }
    #expect(try await container.resolve(Shop.self).network.name == "late")
  }

  @Test func aKeptServiceThatDependsOnATokensDefaultIsBuiltAgainAndFails() async throws {
    let container = Container {
      Registration(Shop.self, scope: .singleton) { r in Shop(network: try r.resolve(.uplink)) }.dependsOn(.uplink)
    }
    let real = try await container.resolve(Shop.self)
    try await container.withOverrides(strict: true) {
    } operation: { () async throws in
      _ = try await refused { try await container.resolve(Shop.self) }
    }
    #expect(try await container.resolve(Shop.self) === real)
  }

  // MARK: Other containers

  @Test func parentsChildrenScopesAndLinksAreCovered() async throws {
    let parent = container
    _ = try await parent.resolve(Shop.self)
    let child = parent.makeChild {
      Registration(Network.self) { _ in Network("child") }.key("child").external()
    }
    let linking = Container()
    linking.link(child)
    try await child.withOverrides(strict: true) {
    } operation: { () async throws in
      // The singleton is the parent's: it exists, and its parent does not see the child's overrides.
      try await refused { try await child.resolve(Shop.self) }
      try await refused { try await parent.resolve(Shop.self) }
      try await refused { try await parent.resolve(Network.self) }
      try await refused { try await child.resolve(Network.self, key: "child") }
      try await refused { try await linking.resolve(Network.self, key: "child") }
      try await child.withScope("request") { request in
        _ = try await refused { try await request.resolve(Shop.self) }
      }
      let catalog = try await child.resolve(Catalog.self)
      #expect(try await parent.resolve(Catalog.self) === catalog)
    }
    #expect(made.count == 1)
  }

  @Test func aLinkedContainersServicesAreCovered() async throws {
    let linking = Container()
    linking.link(container)
    let real = try await linking.resolve(Shop.self)
    try await linking.withOverrides(strict: true) {
    } operation: { () async throws in
      _ = try await refused { try await linking.resolve(Shop.self) }
    }
    #expect(try await linking.resolve(Shop.self) === real)
  }

  @Test func strangersAreNotCovered() async throws {
    let stranger = Container { Registration(autowired: Network.self) { Network("stranger") }.external() }
    try await container.withOverrides(strict: true) {
    } operation: { () async throws in
      #expect(try await stranger.resolve(Network.self).name == "stranger")
      let detached = try await Task.detached { [container] in try await container.resolve(Shop.self) }.value
      #expect(detached.network.name == "real")
    }
  }

  @Test func aParentsServiceDoesNotSeeItsChildsOverrides() async throws {
    let child = container.makeChild()
    try await child.withOverrides(strict: true) {
      Registration(autowired: Network.self) { Network("fake") }
    } operation: { () async throws in
      #expect(try await child.resolve(Network.self).name == "fake")
      // The parent builds the shop, with its own network.
      try await refused { try await child.resolve(Shop.self) }
    }
    #expect(made.count == 0)
  }

  // MARK: Other calls

  @Test func aPropertyKeepsTheStrictness() async throws {
    let (injected, lazy) = try await container.withOverrides(strict: true) {
    } operation: { () async throws in
      (Injected<Shop>(from: container), try await container.resolve(Lazy<Shop>.self))
    }
    try await refused { try await injected() }
    try await refused { try await lazy() }
    #expect(made.count == 0)
  }

  @Test func startingAndValidatingByBuildingFail() async throws {
    let container = Container {
      Registration(autowired: Network.self, scope: .singleton) { Network() }.external().eager()
    }
    try await container.withOverrides(strict: true) {
    } operation: { () async throws in
      try await refused { try await container.start() }
      let error = await #expect(throws: ValidationError.self) { try await container.validate(building: true) }
      #expect(error?.problems.map(\.error?.code) == [.external])
    }
    try await container.validate(building: true)
    try await container.start()
  }

  @Test(arguments: [false, true])
  func aStrictOperationDisposesOfWhatItMadeWithAParentsRegistrations(overChild: Bool) async throws {
    let journal = Journal<String>()
    let app = Container {
      Registration(Probe.self) { _ in Probe() }.onDispose { _ in journal.note("probe") }
      Registration(Root.self, scope: .singleton) { r in Root(try r.resolve(Probe.self)) }
        .onDispose { _ async throws in
          await Task.yield()
          journal.note("root")
          throw Boom()
        }
    }
    let child = app.makeChild()
    await #expect(throws: ShutdownError.self) {
      try await (overChild ? child : app).withOverrides(strict: true) {
      } operation: { () async throws in
        _ = try await child.resolve(Root.self)
      }
    }
    #expect(journal.entries == ["root", "probe"])
  }
}
