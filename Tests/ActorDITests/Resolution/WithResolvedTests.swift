import ActorDITestSupport
import Testing

@testable import ActorDI

/// Instances that a closure borrows.
@Suite("Borrowing with withResolved", .timeLimit(.minutes(5)))
struct WithResolvedTests {
  private let container = Container {
    Registration(Setting.self, scope: .singleton) { _ in Setting(number: 1) }
    Registration(Setting.self, scope: .singleton) { _ in Setting(number: 2) }.key("k")
    Registration(Probe.self, scope: .singleton) { _ in Probe("kept") }
    Registration((any Greeter).self, scope: .singleton) { _ in Polite() }
    Registration(Alpha.self) { _ in Alpha() }
  }

  @Test func withResolvedBuildsTheServiceAndBorrowsIt() throws {
    for _ in 1...3 {
      #expect(try container.withResolved(Setting.self) { $0.number } == 1)
      #expect(try container.withResolved(Setting.self, key: "k") { $0.number } == 2)
      #expect(try container.withResolved((any Greeter).self) { $0.greet() } == "Good day")
    }
  }

  @Test func withResolvedBorrowsTheInstanceThatResolveReturns() throws {
    let probe = try container.resolve(Probe.self)
    #expect(
      try container.withResolved(Probe.self) { ObjectIdentifier(copy $0) }
        == ObjectIdentifier(probe))
  }

  @Test func eachCallBorrowsANewTransient() throws {
    let builds = Counter()
    let container = Container {
      Registration(Setting.self) { _ in Setting(number: builds.increment()) }
    }
    #expect(try container.withResolved(Setting.self) { $0.number } == 1)
    #expect(try container.withResolved(Setting.self) { $0.number } == 2)
  }

  @Test func aMissingServiceThrowsBeforeTheBodyRuns() throws {
    let runs = Counter()
    let error = try resolutionError {
      try container.withResolved(Setting.self, key: "K") { _ in runs.increment() }
    }
    #expect(error.code == .notRegistered)
    #expect(error.key as? String == "K")
    #expect(throws: ResolutionError.self) {
      try container.withResolved(Beta.self) { _ in runs.increment() }
    }
    #expect(runs.count == 0)
  }

  @Test func withResolvedThrowsTheBodysError() throws {
    for number in 1...3 {
      #expect(throws: Boom(number: number)) {
        try container.withResolved(Setting.self) { _ in throw Boom(number: number) }
      }
    }
    #expect(try container.withResolved(Setting.self) { $0.number } == 1)
  }

  @Test func borrowsCanBeNested() throws {
    func nested(_ depth: Int) throws -> Int {
      try container.withResolved(Setting.self) { setting in
        let inner = depth == 0 ? 0 : try nested(depth - 1)
        return setting.number + inner
      }
    }
    #expect(try nested(100) == 101)
    let sum = try container.withResolved(Setting.self) { one in
      try container.withResolved(Setting.self, key: "k") { two in
        try one.number + two.number + container.resolve(Setting.self).number
      }
    }
    #expect(sum == 4)
  }

  @Test func theBodyCanResolveOtherServices() throws {
    _ = try container.resolve(Setting.self)
    let probes = try container.withResolved(Setting.self) { _ in
      [try container.resolve(Probe.self), try container.resolve(Probe.self)]
    }
    #expect(probes[0] === probes[1])
    let alphas = try container.withResolved(Setting.self) { _ in
      [try container.resolve(Alpha.self), try container.resolve(Alpha.self)]
    }
    #expect(alphas[0] !== alphas[1])
  }

  /// A change that removes the borrowed instance meanwhile.
  enum Change: CaseIterable, Sendable { case reset, register, unregister }

  @Test(arguments: Change.allCases)
  func aBorrowedInstanceOutlivesItsRemoval(change: Change) async throws {
    let lifetime = ObjectLifetime()
    let container = Container {
      Registration(ObjectLifetime.Token.self, scope: .singleton) { _ in lifetime.token() }
    }
    try sync { _ = try container.resolve(ObjectLifetime.Token.self) }
    let isAliveInTheEnd = try await onThread {
      try container.withResolved(ObjectLifetime.Token.self) { _ in
        let changed = Gate()
        Task {
          switch change {
          case .reset: await container.reset()
          case .register:
            try await container.register(ObjectLifetime.Token.self) { _ in ObjectLifetime().token() }
          case .unregister: await container.unregister(ObjectLifetime.Token.self)
          }
          changed.open()
        }
        changed.block()
        return !lifetime.hasEnded
      }
    }
    #expect(isAliveInTheEnd)
    #expect(container.resolveIfReady(ObjectLifetime.Token.self) == nil)
    // The reclaimer scans again only after another change.
    await container.reset()
    try await container.register(Setting.self) { _ in Setting() }
    await lifetime.ended.wait()
  }

  @Test func aChildBorrowsAParentsInstance() throws {
    let child = Container(parent: container)
    #expect(try child.withResolved(Setting.self) { $0.number } == 1)
    #expect(try child.withResolved(Setting.self, key: "k") { $0.number } == 2)
  }
}
