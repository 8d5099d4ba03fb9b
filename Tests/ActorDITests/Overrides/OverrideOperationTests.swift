import ActorDITestSupport
import Testing

@testable import ActorDI

/// The operation of `withOverrides`: its beginning, end and failure, and many operations at the same time.
@Suite("Operations with overrides", .timeLimit(.minutes(5)))
struct OverrideOperationTests {
  private final class NotSendable {
    var number = 1
  }

  private struct Fixture: Module {
    let isFailing: Bool
    let loaded: Journal<String>
    var registrations: Registrations { Registration(Probe.self) { _ in Probe("module") } }

    func didLoad(_ container: Container) async throws {
      loaded.note(try await container.resolve(Probe.self).name)
      try await container.register(Setting.self) { _ in Setting(number: 3) }
      if isFailing { throw Boom() }
    }
  }

  @Test func anOperationCanReturnANonSendableResult() async throws {
    let container = Container()
    let result = try await container.withOverrides {
      Registration(Probe.self) { _ in Probe() }
    } operation: {
      _ = try await container.resolve(Probe.self)
      return NotSendable()
    }
    result.number += 1
    #expect(result.number == 2)
  }

  @Test func aBuilderCanSuspendAndThrow() async throws {
    let container = Container()
    let name = try await container.withOverrides {
      let name = await Task { "later" }.value
      Registration(Probe.self) { _ in Probe(name) }
    } operation: { () async throws in
      try await container.resolve(Probe.self).name
    }
    #expect(name == "later")
    await #expect(throws: Boom.self) {
      try await container.withOverrides {
        try { throw Boom() }() as Registrations
      } operation: { () async throws in
        Issue.record("The operation ran")
      }
    }
    #expect(OverrideLayer.active == nil)
  }

  @Test func anInvalidOverrideThrowsBeforeTheOperation() async throws {
    let container = Container()
    let error = try await asyncResolutionError {
      try await container.withOverrides {
        Registration(autowired: Beta.self, arguments: Int.self, initializer: Beta.init)
      } operation: { () async throws in
        Issue.record("The operation ran")
      }
    }
    #expect(error.code == .ambiguousArguments)
  }

  @Test func modulesLoadIntoTheOverrides() async throws {
    let container = Container { Registration(Probe.self) { _ in Probe("real") } }
    let loaded = Journal<String>()
    try await container.withOverrides {
      Fixture(isFailing: false, loaded: loaded)
    } operation: { () async throws in
      #expect(try await container.resolve(Probe.self).name == "module")
      #expect(try await container.resolve(Setting.self).number == 3)
    }
    #expect(loaded.entries == ["module"])
    #expect(!container.contains(Setting.self))
    await #expect(throws: Boom.self) {
      try await container.withOverrides {
        Fixture(isFailing: true, loaded: loaded)
      } operation: { () async throws in
        Issue.record("The operation ran")
      }
    }
    let error = try resolutionError {
      try container.withOverrides {
        Fixture(isFailing: false, loaded: loaded)
      } operation: { () throws in
        Issue.record("The operation ran")
      }
    }
    #expect(error.code == .asyncRequired)
    #expect("\(error)".contains("Fixture"))
  }

  @Test func aThrowingOperationEndsItsOverrides() async throws {
    let container = Container { Registration(Probe.self) { _ in Probe("real") } }
    await #expect(throws: Boom.self) {
      try await container.withOverrides {
        Registration(Probe.self, scope: .singleton) { _ in throw Boom() }
      } operation: { () async throws in
        _ = try await container.resolve(Probe.self)
      }
    }
    #expect(try await container.resolve(Probe.self).name == "real")
    #expect(OverrideLayer.active == nil)
  }

  @Test func aResolveAfterAFailedBuildTriesAgain() async throws {
    let container = Container()
    let attempts = Counter()
    try await container.withOverrides {
      Registration(Probe.self, scope: .singleton) { _ in
        if attempts.increment() == 1 { throw Boom() }
        return Probe("second")
      }
    } operation: { () async throws in
      await #expect(throws: Boom.self) { try await container.resolve(Probe.self) }
      #expect(try await container.resolve(Probe.self).name == "second")
    }
  }

  @Test func aCancelledOperationReleasesItsInstances() async throws {
    let container = Container()
    let (begun, released) = (Gate(), ObjectLifetime())
    let task = Task {
      try await container.withOverrides {
        Registration(Root.self, scope: .singleton) { _ in Root(released.token()) }
        Registration(Probe.self, scope: .singleton) { _ async throws in
          begun.open()
          while true {
            try Task.checkCancellation()
            await Task.yield()
          }
        }
      } operation: { () async throws in
        _ = try await container.resolve(Root.self)
        _ = try await container.resolve(Probe.self)
      }
    }
    await begun.wait()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await released.ended.passed()
  }

  @Test func errorsNameContainerAndPath() throws {
    let container = Container(name: "shop") {
      Registration(autowired: Gamma.self, initializer: Gamma.init)
    }
    try container.withOverrides {
      Registration(autowired: Beta.self, scope: .singleton, initializer: Beta.init)
    } operation: { () throws in
      let error = try resolutionError { try container.resolve(Gamma.self) }
      #expect(error.code == .notRegistered)
      #expect(error.container == "shop")
      #expect(error.path == ["Gamma", "Beta", "Alpha"] || error.path == ["Gamma", "Beta"])
    }
  }

  @Test func aCycleThroughAnOverrideThrows() async throws {
    let container = Container {
      Registration(Root.self, scope: .singleton) { r in Root(try r.resolve(Stem.self)) }
      Registration(Stem.self, scope: .singleton) { _ in Stem() }
    }
    try await container.withOverrides {
      Registration(Stem.self, scope: .singleton) { r in Stem(try r.resolve(Root.self)) }
    } operation: { () async throws in
      let error = try sync { try resolutionError { try container.resolve(Root.self) } }
      #expect(error.code == .cycle)
      #expect(error.path == ["Root", "Stem", "Root"])
      let other = try await asyncResolutionError { try await container.resolve(Root.self) }
      #expect(other.code == .cycle)
    }
    _ = try await container.resolve(Root.self)
  }

  @Test func validationIgnoresOverrides() throws {
    let container = Container { Registration(autowired: Beta.self, initializer: Beta.init) }
    try container.withOverrides {
      Registration(Alpha.self) { _ in Alpha() }
    } operation: { () throws in
      _ = try container.resolve(Beta.self)
      #expect(throws: ValidationError.self) { try sync { try container.validate() } }
      #expect(container.registrations.count == 1)
    }
  }

  @Test func startBuildsTheOverrideOfAnEagerService() async throws {
    let built = Journal<String>()
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in
        built.note("real")
        return Probe()
      }.eager()
    }
    try await container.withOverrides {
      Registration(Probe.self, scope: .singleton) { _ in
        built.note("fake")
        return Probe()
      }
    } operation: { () async throws in
      try await container.start()
    }
    #expect(built.entries == ["fake"])
  }

  // MARK: Concurrency

  @Test func tasksOfAnOperationBuildOnce() async throws {
    let built = Counter()
    let container = Container {
      Registration(autowired: Beta.self, scope: .singleton, initializer: Beta.init)
      Registration(Gamma.self, scope: .singleton) { r in
        built.increment()
        return Gamma(beta: try r.resolve(), alpha: try r.resolve())
      }
    }
    try await container.withOverrides {
      Registration(Alpha.self, scope: .singleton) { _ async in
        built.increment()
        await Task.yield()
        return Alpha()
      }
    } operation: { () async throws in
      let all = try await withThrowingTaskGroup(of: Beta.self) { group in
        for _ in 1...50 { group.addTask { try await container.resolve(Beta.self) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(Set(all.map(ObjectIdentifier.init)).count == 1)
      #expect(built.count == 1)
      _ = try await container.resolve(Gamma.self)
      _ = try await container.resolve(Gamma.self)
      #expect(built.count == 2)
    }
  }

  @Test func aHundredConflictingOverridesDoNotAffectEachOther() async throws {
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in Probe("real") }
      Registration(autowired: Root.self, scope: .singleton) { (probe: Probe) in Root(probe) }
      Registration(Stem.self, scope: .singleton) { r in Stem(try r.resolve(Root.self)) }
      Registration(Leaf.self, scope: .singleton) { r async throws in
        await Task.yield()
        return Leaf(try await r.resolve(Probe.self))
      }
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }.dependsOn()
    }
    let (root, leaf) = (try await container.resolve(Root.self), try await container.resolve(Leaf.self))
    let alpha = try await container.resolve(Alpha.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...100 {
        group.addTask {
          try await container.withOverrides {
            Registration(Probe.self, scope: .singleton) { _ in Probe("\(number)") }
          } operation: { () async throws in
            for _ in 1...3 {
              let probe = try await container.resolve(Probe.self)
              #expect(probe.name == "\(number)")
              #expect(try await container.resolve(Root.self).next as? Probe === probe)
              let stem = try await container.resolve(Stem.self)
              #expect((stem.next as? Root)?.next as? Probe === probe)
              #expect(try await container.resolve(Leaf.self).next as? Probe === probe)
              #expect(try await container.resolve(Alpha.self) === alpha)
              await Task.yield()
            }
          }
        }
        group.addTask { () async throws in
          #expect(try await container.resolve(Root.self) === root)
          #expect(try await container.resolve(Probe.self).name == "real")
        }
      }
      try await group.waitForAll()
    }
    #expect(try await container.resolve(Root.self) === root)
    #expect(try await container.resolve(Leaf.self) === leaf)
    #expect(try await (container.resolve(Stem.self).next as? Root) === root)
  }
}
