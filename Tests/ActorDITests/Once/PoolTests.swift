import ActorDITestSupport
import Testing

@testable import ActorDI

/// `.pooled(max:)`: a scope checks an instance out, and returns it at its end.
@Suite("Pools", .timeLimit(.minutes(5)))
struct PoolTests {
  private let journal = Journal<String>()
  private let counter = Counter()

  private func app(_ max: Int, name: String = "app") -> Container {
    Container(name: name) { [journal, counter] in
      Registration(Connection.self, scope: .pooled(max: max)) { _ in Connection("\(counter.increment())", journal) }
    }
  }

  @Test func successiveScopesCheckOutTheSameInstance() async throws {
    let app = app(2)
    for _ in 0..<4 {
      try await app.withScope { scope in
        let connection = try await scope.resolve(Connection.self)
        for _ in 0..<4 { #expect(try sync { try scope.resolve(Connection.self) } === connection) }
        #expect(scope.resolveIfReady(Connection.self) === connection && connection.name == "1")
      }
    }
    #expect(counter.count == 1 && journal.entries.isEmpty)
    try await app.shutdown()
    #expect(journal.entries == ["1"])
  }

  @Test func concurrentScopesCheckOutDifferentInstances() async throws {
    let app = app(2)
    try await app.withScope { first in
      let connection = try await first.resolve(Connection.self)
      try await app.withScope { second in
        let other = try await second.resolve(Connection.self)
        #expect(other !== connection)
      }
      try await app.withScope { scope in
        let name = try await scope.resolve(Connection.self).name
        #expect(name == "2")
      }
    }
    #expect(counter.count == 2)
    try await app.withScope { scope in
      let name = try await scope.resolve(Connection.self).name
      #expect(name == "1", "The pool returns the instance returned last")
    }
    try await app.shutdown()
    #expect(journal.entries == ["2", "1"])
  }

  @Test func aFullPoolDisposesOfAReturnedInstance() async throws {
    let app = app(1)
    try await app.withScope { first in
      _ = try await first.resolve(Connection.self)
      try await app.withScope { second in
        _ = try await second.resolve(Connection.self)
        try await app.withScope { third in _ = try await third.resolve(Connection.self) }
        #expect(journal.entries.isEmpty)
      }
      #expect(journal.entries == ["2"], "The pool holds the third instance")
    }
    #expect(journal.entries == ["2", "1"])
    try await app.shutdown()
    #expect(journal.entries == ["2", "1", "3"])
  }

  @Test(arguments: [0, -1])
  func aPoolWithoutCapacityDisposesOfEachReturnedInstance(max: Int) async throws {
    let app = app(max)
    for number in 1...3 {
      try await app.withScope { _ = try await $0.resolve(Connection.self) }
      #expect(journal.entries.count == number)
    }
    try await app.shutdown()
    #expect(journal.entries == ["1", "2", "3"])
  }

  @Test func aFailedBuildUsesNoCapacity() async throws {
    let fails = Shelf(true)
    let app = Container { [journal, counter] in
      Registration(Connection.self, scope: .pooled(max: 1)) { _ in
        counter.increment()
        if fails.value { throw Boom() }
        return Connection("made", journal)
      }
      Registration(Connection.self, scope: .pooled(max: 1)) { _ in Connection("hooked", journal) }
        .onCreated { _, _ in if fails.value { throw Boom() } }
        .key("hook")
    }
    try await app.withScope { scope in
      await #expect(throws: Boom()) { try await scope.resolve(Connection.self) }
      await #expect(throws: Boom()) { try await scope.resolve(Connection.self, key: "hook") }
      #expect(throws: Boom()) { try sync { try scope.resolve(Connection.self) } }
      try await until { journal.entries == ["hooked"] }
      fails.value = false
      _ = try await scope.resolve(Connection.self)
    }
    #expect(counter.count == 3 && journal.entries == ["hooked"])
    try await app.shutdown()
    #expect(journal.entries == ["hooked", "made"])
  }

  @Test func aSynchronousCallerCanCheckOutAnAsynchronouslyBuiltInstance() async throws {
    let app = Container { [journal, counter] in
      Registration(Connection.self, scope: .pooled(max: 1)) { _ in
        await Task.yield()
        return Connection("\(counter.increment())", journal)
      }
    }
    try await app.withScope { scope in
      let error = try sync { try resolutionError { try scope.resolve(Connection.self) } }
      #expect(error.code == .asyncRequired)
      _ = try await scope.resolve(Connection.self)
      #expect(try sync { try scope.resolve(Connection.self) }.name == "1")
    }
    try await app.withScope { scope in
      let name = try await scope.resolve(Connection.self).name
      #expect(name == "1")
    }
    #expect(counter.count == 1)
  }

  /// A service that only an asynchronous caller can complete, although its factory and its type are synchronous.
  private struct Prepared: Noted, PostInitialization, Disposable {
    let name: String
    let journal: Journal<String>
    func didInitialize() async throws { journal.note("initialized \(name)") }
    func dispose() async throws { journal.note("disposed \(name)") }
  }

  // A regression: an idle instance took the place of the incomplete one, which was then neither completed nor returned.
  @Test func anIncompleteInstanceIsCompletedAlthoughAnotherOneIsIdle() async throws {
    let app = Container { [journal, counter] in
      Registration((any Noted).self, scope: .pooled(max: 2)) { _ in
        Prepared(name: "\(counter.increment())", journal: journal)
      }
    }
    try await app.withScope { first in
      let error = try sync { try resolutionError { try first.resolve((any Noted).self) } }
      #expect(error.code == .asyncRequired)
      let other = try await app.withScope { try await $0.resolve((any Noted).self).name }
      let own = try await first.resolve((any Noted).self).name
      #expect(other == "2" && own == "1")
    }
    #expect(journal.entries == ["initialized 2", "initialized 1"])
    for _ in 0..<2 { _ = try await app.withScope { try await $0.resolve((any Noted).self).name } }
    try await app.shutdown()
    #expect(counter.count == 2)
    #expect(journal.entries.dropFirst(2).sorted() == ["disposed 1", "disposed 2"])
  }

  @Test func aPooledInstanceIsBuiltWithItsOwnersRegistrations() async throws {
    let app = Container {
      Setting(number: 1)
      Registration(autowired: Leaf.self, scope: .pooled(max: 1)) { (setting: Setting) in Leaf(setting) }
    }
    for _ in 0..<2 {
      try await app.withScope {
        Setting(number: 2)
      } operation: { scope in
        let leaf = try await scope.resolve(Leaf.self)
        #expect(leaf.next as? Setting == Setting(number: 1))
      }
    }
  }

  @Test func aResetDisposesOfIdleInstances() async throws {
    let app = app(2)
    try await app.withScope { _ = try await $0.resolve(Connection.self) }
    await app.reset()
    #expect(journal.entries == ["1"])
    try await app.withScope { scope in
      let name = try await scope.resolve(Connection.self).name
      #expect(name == "2")
    }
    await app.reset(Connection.self)
    #expect(journal.entries == ["1", "2"])
    await app.reset(.pooled(max: 2))
    try await app.shutdown()
    #expect(journal.entries == ["1", "2"], "Each instance is disposed of once")
  }

  @Test func theOwnerChecksOutOneInstanceForItself() async throws {
    let app = app(2)
    let connection = try await app.resolve(Connection.self)
    for _ in 0..<3 { #expect(try await app.resolve(Connection.self) === connection) }
    await app.reset()
    #expect(journal.entries == ["1"], "The reset disposes of the instance")
    #expect(try await app.resolve(Connection.self) !== connection)
    try await app.shutdown()
    #expect(journal.entries == ["1", "2"])
  }

  @Test func aResetDiscardsCheckedOutInstancesAtTheirReturn() async throws {
    let app = app(2)
    try await app.withScope { scope in
      _ = try await scope.resolve(Connection.self)
      await app.reset(Connection.self)
      #expect(journal.entries.isEmpty, "The instance is in use")
    }
    #expect(journal.entries == ["1"])
    try await app.withScope { scope in
      let name = try await scope.resolve(Connection.self).name
      #expect(name == "2")
    }
  }

  // A regression: the scope returned the instance, so another scope shared it with the services built from it before.
  @Test(arguments: [false, true])
  func aScopesResetDiscardsItsInstance(isOfAService: Bool) async throws {
    let app = app(2)
    try await app.withScope { scope in
      let first = try await scope.resolve(Connection.self)
      if isOfAService { await scope.reset(Connection.self) } else { await scope.reset() }
      #expect(journal.entries == ["1"])
      let names = try await app.withScope { try await $0.resolve(Connection.self).name }
      let next = try await scope.resolve(Connection.self).name
      #expect(names == "2" && next == "2" && first.name == "1")
    }
    try await app.shutdown()
    #expect(journal.entries == ["1", "2"])
  }

  @Test func unregisteringDiscardsCheckedOutInstancesAtTheirReturn() async throws {
    let app = app(2)
    try await app.withScope { scope in
      _ = try await scope.resolve(Connection.self)
      #expect(await app.unregister(Connection.self))
      #expect(journal.entries.isEmpty)
    }
    #expect(journal.entries == ["1"])
    try await app.shutdown()
    #expect(journal.entries == ["1"])
  }

  @Test func theOwnersShutdownDisposesOfCheckedOutInstances() async throws {
    let app = app(2)
    let child = app.makeChild()
    _ = try await child.resolve(Connection.self)
    try await app.withScope { _ = try await $0.resolve(Connection.self) }
    try await app.shutdown()
    #expect(journal.entries == ["2", "1"])
    let error = try await asyncResolutionError { try await child.resolve(Connection.self) }
    #expect(error.code == .closed)
  }

  @Test func anInstanceCheckedOutThroughALinkReturnsAfterTheLink() async throws {
    let (user, owner) = (Container(name: "user"), app(1, name: "owner"))
    let link = user.link(owner)
    let connection = try await user.resolve(Connection.self)
    link.cancel()
    try await user.shutdown()
    let next = try await owner.withScope { try await $0.resolve(Connection.self) }
    #expect(next === connection)
    #expect(journal.entries.isEmpty)
  }

  // A regression: the instance kept its pool's container alive, and with it all that the container is linked to.
  @Test(arguments: [0, 1]) func anInstanceCheckedOutThroughALinkDoesNotKeepItsPoolAlive(max: Int) async throws {
    weak var freedOwner: Container?
    let user = Container(name: "user")
    do {
      let owner = app(max, name: "owner")
      freedOwner = owner
      owner.link(user)
      let link = user.link(owner)
      _ = try await user.resolve(Connection.self)
      #expect(freedOwner != nil)
      link.cancel()
    }
    try await until { freedOwner == nil }
    // A container that is released without a shutdown disposes of nothing.
    try await user.shutdown()
    #expect(journal.entries.isEmpty)
  }

  @Test func aPoolCanHoldValues() async throws {
    let app = Container { [journal] in
      Registration(Setting.self, scope: .pooled(max: 1)) { [counter] _ in Setting(number: counter.increment()) }
        .onDispose { journal.note("\($0.number)") }
    }
    for _ in 0..<2 {
      let number = try await app.withScope { try await $0.resolve(Setting.self).number }
      #expect(number == 1)
    }
    try await app.shutdown()
    #expect(journal.entries == ["1"])
  }

  @Test func noInstanceIsCheckedOutTwiceAtATime() async throws {
    let books = DisposalRecord()
    let checkedOut = CheckedOut()
    let app = Container {
      Registration(RecordedService.self, scope: .pooled(max: 3)) { _ in RecordedService(books) }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<30 {
            try await app.withScope { scope in
              let booked = try await scope.resolve(RecordedService.self)
              #expect(checkedOut.add(booked.number))
              await Task.yield()
              checkedOut.remove(booked.number)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(books.made - books.ended <= 3)
    try await app.shutdown()
    #expect(books.mistakes.isEmpty)
  }

  /// The checked-out instances, by number.
  private final class CheckedOut: Sendable {
    private let numbers = Lock<Set<Int>>([])
    func add(_ number: Int) -> Bool { numbers.withLock { $0.insert(number).inserted } }
    func remove(_ number: Int) { _ = numbers.withLock { $0.remove(number) } }
  }

  // A regression: the pool handed out an instance of other arguments, or one whose time was over.
  @Test func aPoolNeitherDistinguishesArgumentsNorAges() async throws {
    let container = Container()
    let registrations = [
      Registrations {
        Registration(Probe.self, scope: .pooled(max: 1)) { (_, name: String) in Probe(name) }.perArguments()
      },
      Registrations { Registration(Probe.self, scope: .pooled(max: 1)) { _ in Probe() }.timeToLive(.seconds(1)) },
    ]
    for registrations in registrations {
      let error = try await asyncResolutionError { try await container.register { registrations } }
      #expect(error.code == .invalidRegistration)
    }
  }

  // A regression: all scopes shared one decorated instance.
  @Test func aDecoratedInstanceIsCheckedOutByOneScope() async throws {
    let app = app(2)
    try await app.decorate(Connection.self) { _, connection in connection }
    try await app.withScope { first in
      let connection = try await first.resolve(Connection.self)
      for _ in 0..<2 {
        try await app.withScope { second in
          let other = try await second.resolve(Connection.self)
          #expect(other !== connection && other.name == "2")
        }
      }
      let same = try await first.resolve(Connection.self)
      #expect(same === connection)
    }
    #expect(app.registrations.map(\.scope) == [.pooled(max: 2)])
  }

  // A regression: the scope kept the decorated form of an instance that it had disposed of.
  @Test func aResetOfTheScopeForgetsADecoratedInstance() async throws {
    let app = app(1)
    try await app.decorate(Connection.self) { _, connection in connection }
    try await app.withScope { scope in
      let connection = try await scope.resolve(Connection.self)
      await scope.reset(.pooled(max: 1))
      #expect(journal.entries == ["1"])
      let other = try await scope.resolve(Connection.self)
      #expect(other !== connection)
    }
  }

  // A regression: a second reset returned the instance to the pool, although services of the scope still used it.
  @Test func anInstanceThatIsResetDuringItsBuildIsNotPooled() async throws {
    let (started, mayEnd) = (Gate(), Gate())
    let app = Container { [journal, counter] in
      Registration(Connection.self, scope: .pooled(max: 1)) { _ in
        let number = counter.increment()
        if number == 1 {
          started.open()
          await mayEnd.wait()
        }
        return Connection("\(number)", journal)
      }
    }
    try await app.withScope { scope in
      let first = Task { try await scope.resolve(Connection.self) }
      try await started.passed()
      await scope.reset()
      mayEnd.open()
      let connection = try await first.value
      // The build leaves the disposal to the next reset after it has woken its caller.
      try await until { !scope.lifecycle.disposalsDueAtReset.isEmpty }
      await scope.reset()
      #expect(journal.entries == ["1"])
      let other = try await app.withScope { try await $0.resolve(Connection.self) }
      #expect(other !== connection)
    }
  }
}
