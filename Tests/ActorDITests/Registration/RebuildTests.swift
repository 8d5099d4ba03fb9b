import ActorDITestSupport
import Observation
import Synchronization
import Testing

@testable import ActorDI

/// An observable model that any thread can read and change.
private final class Model: Observable, Sendable {
  private let registrar = ObservationRegistrar()
  private let stored = Lock(false)

  var flag: Bool {
    get {
      registrar.access(self, keyPath: \.flag)
      return stored.withLock { $0 }
    }
    set { registrar.withMutation(of: self, keyPath: \.flag) { stored.withLock { $0 = newValue } } }
  }
}

@Suite("Rebuilding", .timeLimit(.minutes(5)))
struct RebuildTests {
  private final class Flags: Sendable {
    private let names: Lock<Set<String>>
    init(_ names: Set<String> = []) { self.names = Lock(names) }
    subscript(_ name: String) -> Bool {
      get { names.withLock { $0.contains(name) } }
      set {
        names.withLock { names in
          if newValue { names.insert(name) } else { names.remove(name) }
        }
      }
    }
  }

  @Test func rebuildingAppliesTheDifferenceAndKeepsTheOtherInstances() async throws {
    let flags = Flags(["a"])
    let lifetime = ObjectLifetime()
    let container = Container {
      if flags["a"] {
        Registration(ObjectLifetime.Token.self, scope: .singleton) { _ in lifetime.token() }
      }
      Registration(Probe.self, scope: .singleton) { _ in Probe() }
        .implements((any Sendable).self) { $0 }
      if flags["b"] { Registration(String.self) { _ in "b" } }
    }
    let probe = try await container.resolve(Probe.self)
    _ = try await container.resolve(ObjectLifetime.Token.self)
    try await container.register(Int.self, scope: .singleton) { _ in 1 }
    flags["a"] = false
    flags["b"] = true
    try await container.rebuild()
    await lifetime.ended.wait()
    #expect(!container.contains(ObjectLifetime.Token.self))
    #expect(try await container.resolve(String.self) == "b")
    #expect(container.resolveIfReady(Probe.self) === probe)
    #expect(try await container.resolve((any Sendable).self) as? Probe === probe)
    #expect(try await container.resolve(Int.self) == 1)
    flags["b"] = false
    flags["a"] = true
    try await container.rebuild()
    #expect(!container.contains(String.self))
    #expect(container.contains(ObjectLifetime.Token.self))
    #expect(container.resolveIfReady(Probe.self) === probe)
  }

  @Test func rebuildingKeepsTheOrderOfTheClosure() async throws {
    let flags = Flags()
    let container = Container {
      Registration(String.self) { _ in "1" }.key(1)
      if flags["middle"] { Registration(String.self) { _ in "2" }.key(2) }
      Registration(String.self) { _ in "3" }.key(3)
    }
    try await container.register { Registration(String.self) { _ in "later" }.key(4) }
    flags["middle"] = true
    try await container.rebuild()
    #expect(try await container.resolve([String].self) == ["1", "2", "3", "later"])
  }

  @Test func rebuildingKeepsALaterReplacement() async throws {
    let container = Container { Registration(String.self) { _ in "initial" } }
    try await container.register(String.self) { _ in "later" }
    try await container.rebuild()
    #expect(try await container.resolve(String.self) == "later")
  }

  @Test func theLastRegistrationOfAnIdentityWins() async throws {
    let flags = Flags()
    let container = Container {
      if flags["on"] {
        Registration(Int.self) { _ in 1 }
        Registration(Int.self) { _ in 2 }
      }
    }
    flags["on"] = true
    try await container.rebuild()
    #expect(try await container.resolve(Int.self) == 2)
    #expect(container.registrationCount == 1)
  }

  @Test func aFailedRebuildChangesNothing() async throws {
    let flags = Flags()
    let container = Container {
      if flags["on"] {
        Registration(Int.self) { _ in 1 }
        Registration(Probe.self) { _ in Probe() }.inheritKey()
      } else {
        Registration(String.self) { _ in "" }
      }
    }
    flags["on"] = true
    await #expect(throws: ResolutionError.self) { try await container.rebuild() }
    #expect(container.contains(String.self))
    #expect(!container.contains(Int.self))
  }

  @Test func rebuildingNotifiesModulesAgain() async throws {
    struct Counting: Module {
      let loads: Counter
      var registrations: Registrations { Registration(Int.self) { _ in 1 } }
      func didLoad(_ container: Container) async throws { loads.increment() }
    }
    let loads = Counter()
    let container = Container { Counting(loads: loads) }
    try await container.waitUntilLoaded()
    try await container.rebuild()
    #expect(loads.count == 2)
  }

  @Test func decoratorsApplyToAddedRegistrations() async throws {
    let flags = Flags()
    let container = Container {
      if flags["on"] { Registration((any Greeter).self) { _ in Casual() } }
    }
    try await container.decorate((any Greeter).self) { _, inner in ValueGreeter(words: inner.greet() + "!") }
    flags["on"] = true
    try await container.rebuild()
    #expect(try await container.resolve((any Greeter).self).greet() == "Hi!")
    flags["on"] = false
    try await container.rebuild()
    #expect(!container.contains((any Greeter).self))
  }

  // MARK: Replacing

  @Test(arguments: [Scope.singleton, .shared, .transient])
  func aRegistrationOfAnotherLineTakesThePlaceOfTheEarlierOne(scope: Scope) async throws {
    let flags = Flags()
    let container = Container {
      if flags["other"] {
        Registration((any Greeter).self, scope: scope) { _ in Casual() }
      } else {
        Registration((any Greeter).self, scope: scope) { _ in Polite() }
      }
    }
    let kept = try await container.resolve((any Greeter).self)
    flags["other"] = true
    try await container.rebuild()
    #expect(try await container.resolve((any Greeter).self) is Casual)
    flags["other"] = false
    try await container.rebuild()
    #expect(try await container.resolve((any Greeter).self) is Polite)
    #expect(container.registrationCount == 1)
    withExtendedLifetime(kept) {}
  }

  @Test func aReplacedInstanceIsDisposedOfBeforeTheRebuildReturns() async throws {
    let flags = Flags()
    let journal = Journal<String>()
    let container = Container {
      if flags["other"] {
        Registration(Connection.self, scope: .singleton) { _ in Connection("new", journal) }
      } else {
        Registration(Connection.self, scope: .singleton) { _ in Connection("old", journal) }
          .implements((any Sendable).self) { $0 }
      }
      Registration(Root.self, scope: .singleton) { r in Root(try await r.resolve(Connection.self)) }
    }
    // It uses the old connection, which goes nevertheless.
    let root = try await container.resolve(Root.self)
    flags["other"] = true
    try await container.rebuild()
    #expect(journal.entries == ["old"])
    #expect(!container.contains((any Sendable).self), "The alias goes with its registration")
    #expect(try await container.resolve(Connection.self).name == "new")
    #expect(try await container.resolve(Root.self) === root)
  }

  @Test func aDecoratedRegistrationIsReplacedInsideItsDecorator() async throws {
    let flags = Flags()
    let container = Container {
      if flags["other"] {
        Registration((any Greeter).self, scope: .singleton) { _ in Casual() }
      } else {
        Registration((any Greeter).self, scope: .singleton) { _ in Polite() }
      }
    }
    try await container.decorate((any Greeter).self) { _, inner in ValueGreeter(words: inner.greet() + "!") }
    #expect(try await container.resolve((any Greeter).self).greet() == "Good day!")
    flags["other"] = true
    try await container.rebuild()
    #expect(try await container.resolve((any Greeter).self).greet() == "Hi!")
  }

  @Test func anAlternativeJoinsAndLeavesWithoutTouchingTheOthers() async throws {
    let flags = Flags()
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in Probe("plain") }
      if flags["alternative"] {
        Registration(autowired: Probe.self, scope: .singleton) { (_: Alpha) in Probe("alternative") }.alternative()
      }
      if flags["parameter"] { Registration(Alpha.self) { _ in Alpha() } }
    }
    let plain = try await container.resolve(Probe.self)
    flags["alternative"] = true
    try await container.rebuild()
    #expect(try await container.resolve(Probe.self) === plain)
    flags["parameter"] = true
    try await container.rebuild()
    #expect(try await container.resolve(Probe.self).name == "alternative")
    flags["alternative"] = false
    try await container.rebuild()
    #expect(try await container.resolve(Probe.self) === plain)
    #expect(container.registrationCount == 2)
  }

  @Test func aLaterAlternativeStaysBesideAReplacedRegistration() async throws {
    let flags = Flags()
    let container = Container {
      if flags["other"] {
        Registration(Probe.self) { _ in Probe("other") }
      } else {
        Registration(Probe.self) { _ in Probe("first") }
      }
    }
    try await container.register {
      Registration(autowired: Probe.self) { (_: Alpha) in Probe("alternative") }.alternative()
    }
    flags["other"] = true
    try await container.rebuild()
    #expect(try await container.resolve(Probe.self).name == "other")
    try await container.register(Alpha.self) { _ in Alpha() }
    #expect(try await container.resolve(Probe.self).name == "alternative")
  }

  /// Rebuilds a container that has not changed.
  ///
  /// - Parameter words: The words of the greeter, followed by those of all greeters, before and after.
  private func expect(_ words: [String], throughARebuildOf container: Container) async throws {
    for _ in 1...3 {
      let greeter = try await container.resolve((any Greeter).self)
      let greeters = try await container.resolve([any Greeter].self)
      #expect(([greeter] + greeters).map { $0.greet() } == words)
      try await container.rebuild()
    }
  }

  // A regression: a registration took the place of the default that had yielded to it.
  @Test func aDefaultThatYieldsDoesNotMoveARegistration() async throws {
    let container = Container {
      Registration((any Greeter).self) { _ in ValueGreeter(words: "own") }
      Registration((any Greeter).self) { _ in ValueGreeter(words: "keyed") }.key("k")
      Registration((any Greeter).self) { _ in ValueGreeter(words: "default") }.ifNotRegistered()
    }
    try await expect(["own", "own", "keyed"], throughARebuildOf: container)
  }

  // A regression: a later alternative moved back to the registration that it had joined.
  @Test func aLaterAlternativeStaysBehindAnAliasOfTheClosure() async throws {
    let container = Container {
      Registration(autowired: (any Greeter).self) { ValueGreeter(words: "own") }
      Registration(Polite.self) { _ in Polite() }.implements((any Greeter).self) { $0 }
    }
    try await container.register {
      Registration(autowired: (any Greeter).self) { (_: Probe) in ValueGreeter(words: "other") }.alternative()
    }
    try await expect(["own", "own"], throughARebuildOf: container)
  }

  // A regression: the aliases of the candidates moved back to their registrations.
  @Test func theAliasesOfAlternativesStayBehindTheLastOne() async throws {
    let container = Container {
      Registration(autowired: Casual.self) { Casual() }.implements((any Greeter).self) { $0 }
      Registration(Polite.self) { _ in Polite() }.implements((any Greeter).self) { $0 }
      Registration(autowired: Casual.self) { (_: Probe) in Casual() }.alternative()
    }
    try await expect(["Hi", "Good day", "Hi"], throughARebuildOf: container)
  }

  // A regression: a later default was lost, although nothing was left to which it could yield.
  @Test func aLaterDefaultDoesNotYieldToAReplacedRegistration() async throws {
    let container = Container {
      Registration(Polite.self) { _ in Polite() }.implements((any Greeter).self) { $0 }
    }
    try await container.register(Polite.self) { _ in Polite() }
    try await container.register(Registration((any Greeter).self) { _ in Casual() }.ifNotRegistered())
    try await expect(["Hi", "Hi"], throughARebuildOf: container)
  }

  // A regression: the default was taken for a duplicate of the later alias.
  @Test func aDefaultOfTheClosureStaysBehindALaterAlias() async throws {
    let flags = Flags()
    let container = Container {
      if flags["default"] { Registration((any Greeter).self) { _ in Casual() }.ifNotRegistered() }
    }
    try await container.register(Registration(Polite.self) { _ in Polite() }.implements((any Greeter).self) { $0 })
    flags["default"] = true
    try await container.rebuild()
    try await expect(["Good day", "Hi", "Good day"], throughARebuildOf: container)
  }

  @Test func aFaultyInitialRegistrationIsReplacedByAValidOneOfItsLine() async throws {
    let flags = Flags()
    let container = Container {
      Registration(Probe.self, scope: flags["kept"] ? .singleton : .transient) { _ in Probe() }.eager()
    }
    await #expect(throws: ResolutionError.self) { try await container.resolve(Probe.self) }
    flags["kept"] = true
    try await container.rebuild()
    #expect(try await container.resolve(Probe.self) === container.resolve(Probe.self))
  }

  @Test func aConditionalDefaultYieldsToAnAliasOfTheClosure() async throws {
    let flags = Flags()
    let container = Container {
      if flags["real"] {
        Registration(Polite.self) { _ in Polite() }.implements((any Greeter).self) { $0 }
      }
      Registration((any Greeter).self) { _ in Casual() }.ifNotRegistered()
    }
    #expect(try await container.resolve((any Greeter).self) is Casual)
    flags["real"] = true
    try await container.rebuild()
    #expect(try await container.resolve((any Greeter).self) is Polite)
    flags["real"] = false
    try await container.rebuild()
    #expect(try await container.resolve((any Greeter).self) is Casual)
  }

  @Test func aLaterConditionalDefaultYieldsToAnAliasOfTheClosure() async throws {
    let flags = Flags()
    let container = Container {
      if flags["real"] {
        Registration(Polite.self) { _ in Polite() }.implements((any Greeter).self) { $0 }
      }
    }
    try await container.register(Registration((any Greeter).self) { _ in Casual() }.ifNotRegistered())
    #expect(try await container.resolve((any Greeter).self) is Casual)
    flags["real"] = true
    try await container.rebuild()
    #expect(try await container.resolve((any Greeter).self) is Polite)
    #expect(try await container.resolve([any Greeter].self).count == 1)
  }

  @Test(arguments: [Scope.singleton, .transient])
  func anAliasThatWasUnregisteredIsRestored(scope: Scope) async throws {
    let container = Container {
      Registration(Polite.self, scope: scope) { _ in Polite() }
        .implements((any Greeter).self) { $0 }.implements((any Sendable).self) { $0 }
    }
    try await container.register(Registration(Casual.self) { _ in Casual() }.implements((any Greeter).self) { $0 })
    _ = try await container.resolve((any Greeter).self)
    let polite = try await container.resolve(Polite.self)
    for _ in 1...2 { await container.unregister((any Greeter).self) }
    #expect(!container.contains((any Greeter).self))
    for _ in 1...2 {
      try await container.rebuild()
      // The alias of the later registration stays unregistered.
      let greeters = try await container.resolve([any Greeter].self)
      #expect(greeters.count == 1 && greeters.first is Polite)
      #expect(container.contains((any Sendable).self))
      guard scope == .singleton else { continue }
      #expect(greeters.first as? Polite === polite)
      #expect(try await container.resolve((any Sendable).self) as? Polite === polite)
    }
  }

  // MARK: Duplicates

  private func strict(_ flags: Flags) -> Container {
    Container(name: "strict", configuration: .init(duplicates: .error)) {
      if flags["other"] {
        Registration(Int.self) { _ in 2 }
      } else {
        Registration(Int.self) { _ in 1 }
      }
      if flags["twice"] { Registration(Int.self) { _ in 3 } }
      if flags["alias"] { Registration(Probe.self) { _ in Probe() }.implements((any Sendable).self) { $0 } }
      if flags["string"] { Registration(String.self) { _ in "initial" } }
    }
  }

  @Test func aForbiddenDuplicateInTheClosureFailsTheRebuild() async throws {
    let flags = Flags()
    let container = strict(flags)
    flags["twice"] = true
    flags["string"] = true
    let error = try await asyncResolutionError { try await container.rebuild() }
    #expect(error.code == .duplicate && error.is(Int.self))
    #expect(try await container.resolve(Int.self) == 1)
    #expect(!container.contains(String.self))
  }

  @Test func aDuplicateOfALaterRegistrationFailsTheRebuild() async throws {
    let flags = Flags()
    let container = strict(flags)
    try await container.register(String.self) { _ in "later" }
    try await container.register(Registration(Setting.self) { _ in Setting() }.implements((any Sendable).self) { $0 })
    flags["string"] = true
    #expect(try await asyncResolutionError { try await container.rebuild() }.code == .duplicate)
    #expect(try await container.resolve(String.self) == "later")
    flags["string"] = false
    // Aliases of several registrations are no duplicates.
    flags["alias"] = true
    try await container.rebuild()
    #expect(try await container.resolve([any Sendable].self).count == 2)
  }

  @Test func aReplacementByTheClosureIsNoDuplicate() async throws {
    let flags = Flags()
    let container = strict(flags)
    flags["other"] = true
    try await container.rebuild()
    #expect(try await container.resolve(Int.self) == 2)
  }

  // MARK: Sequences

  @Test func eachElementOfASequenceRebuildsTheContainer() async throws {
    let (changes, trigger) = AsyncStream.makeStream(of: Void.self)
    let runs = Counter()
    let container = Container {
      let _ = runs.increment()
      Registration(Int.self) { _ in 1 }
    }
    let task = container.rebuild(on: changes)
    trigger.yield()
    trigger.yield()
    trigger.finish()
    await task.waitUntilFinished()
    #expect(runs.count == 3)
    #expect(task.lastError == nil)
  }

  @Test func cancellingTheTaskStopsRebuilding() async throws {
    let (changes, trigger) = AsyncStream.makeStream(of: Void.self)
    let runs = Counter()
    let container = Container {
      let _ = runs.increment()
      Registration(Int.self) { _ in 1 }
    }
    let task = container.rebuild(on: changes)
    task.cancel()
    await task.waitUntilFinished()
    trigger.yield()
    #expect(runs.count == 1)
  }

  private struct Slow: Module {
    let begun = Gate()
    let gate = Gate()
    let wasCancelled = Shelf<Bool?>(nil)
    var registrations: Registrations { Registration(Int.self) { _ in 1 } }
    func didLoad(_ container: Container) async throws {
      begun.open()
      await gate.wait()
      wasCancelled.value = Task.isCancelled
    }
  }

  @Test func cancellingTheTaskDoesNotCancelARebuildInProgress() async throws {
    let (changes, trigger) = AsyncStream.makeStream(of: Void.self)
    let isOn = Shelf(false)
    let module = Slow()
    let container = Container { if isOn.value { module } }
    isOn.value = true
    let task = container.rebuild(on: changes)
    trigger.yield()
    try await module.begun.passed()
    task.cancel()
    module.gate.open()
    await task.waitUntilFinished()
    #expect(module.wasCancelled.value == false)
  }

  @Test func theTaskRecordsAFailureAndContinues() async throws {
    let (changes, trigger) = AsyncStream.makeStream(of: Void.self)
    let runs = Counter()
    let container = Container {
      let _ = runs.increment()
      if runs.count == 2 { Registration(Probe.self) { _ in Probe() }.inheritKey() }
      if runs.count == 3 { Registration(Int.self) { _ in 1 } }
    }
    let task = container.rebuild(on: changes)
    trigger.yield()
    trigger.yield()
    trigger.finish()
    await task.waitUntilFinished()
    #expect(task.lastError is ResolutionError)
    #expect(container.contains(Int.self))
  }

  @Test func theTaskDoesNotRetainTheContainer() async throws {
    let lifetime = ObjectLifetime()
    let (changes, trigger) = AsyncStream.makeStream(of: Void.self)
    let task: RebuildTask
    do {
      let container = Container {
        Registration(ObjectLifetime.Token.self, scope: .singleton) { _ in lifetime.token() }
      }
      _ = try await container.resolve(ObjectLifetime.Token.self)
      task = container.rebuild(on: changes)
    }
    await lifetime.ended.wait()
    trigger.yield()
    await task.waitUntilFinished()
  }

  @Test func aChangeOfAnObservedModelRebuildsTheContainer() async throws {
    let model = Model()
    let runs = Counter()
    let container = Container {
      let _ = runs.increment()
      if model.flag { Registration(String.self) { _ in "on" } }
    }
    let task = container.rebuild(on: Observations { model.flag })
    // The first element is the model's initial value.
    await runs.wait(for: 2)
    model.flag = true
    await runs.wait(for: 3)
    // The registration closure runs during an isolated call, so the next isolated call comes after it.
    await container.reset(String.self)
    #expect(container.contains(String.self))
    task.cancel()
    await task.waitUntilFinished()
  }

  // A regression: what a rebuild replaced was released under the registry's lock.
  @Test func aReplacedKeyMayAskTheContainerAtItsEnd() async throws {
    let (counted, asked) = (Counter(), Shelf<Container?>(nil))
    let container = Container {
      for number in 1...2 {
        Registration(instance: number).key(
          AskingKey {
            _ = asked.value?.registrationCount
            counted.increment()
          })
      }
    }
    asked.value = container
    for _ in 1...3 { try await container.rebuild() }
    #expect(container.registrationCount == 1 && counted.count > 0)
    asked.value = nil
  }

  // A regression: the decorators that `push` had saved were released under the registry's lock.
  @Test func aSavedDecoratorMayAskTheContainerAtItsEnd() async throws {
    let (asked, isDecorated, ended) = (Shelf<Container?>(nil), Shelf(true), Gate())
    let container = Container {
      if isDecorated.value {
        let key = AskingKey {
          _ = asked.value?.registrationCount
          ended.open()
        }
        Decorator(Int.self) { _, inner in key.hashValue == 0 ? inner : inner + 1 }
      }
    }
    asked.value = container
    isDecorated.value = false
    await container.push()
    try await container.rebuild()
    try await container.shutdown()
    try await ended.passed()
    asked.value = nil
  }

  // A regression: the change listed the first registration, which it added and removed again, in neither list.
  @Test func theChangeListsARegistrationThatBecomesACandidate() async throws {
    let hasAlternative = Shelf(false)
    let container = Container {
      Registration(autowired: Probe.self) { Probe() }
      if hasAlternative.value { Registration(autowired: Probe.self) { (_: Alpha) in Probe() }.alternative() }
    }
    let single = container.registrations.map(\.description)
    let changes = container.changes
    hasAlternative.value = true
    try await container.rebuild()
    let choice = container.registrations.map(\.description)
    hasAlternative.value = false
    try await container.rebuild()
    try await container.shutdown()
    var listed: [[String]] = []
    for await change in changes {
      listed.append(change.removed.map(\.description))
      listed.append(change.added.map(\.description))
    }
    #expect(listed == [single, choice, choice, single])
  }
}

/// A key that equals all others, and runs a closure at its end.
private final class AskingKey: Hashable, Sendable {
  private let atEnd: @Sendable () -> Void
  init(_ atEnd: @escaping @Sendable () -> Void) { self.atEnd = atEnd }
  deinit { atEnd() }

  static func == (left: AskingKey, right: AskingKey) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}
