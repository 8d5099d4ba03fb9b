import ActorDITestSupport
import Testing

@testable import ActorDI

private protocol Numbering: AnyObject, Sendable {}
private final class Counted: Numbering {
  let number: Int
  init(_ number: Int) { self.number = number }
}

private func resolved(_ registration: Registration<Counted>, key: String? = nil) throws -> Int? {
  let container = Container { registration }
  guard let key else { return try container.resolve(Counted?.self)?.number }
  return try container.resolve(Counted?.self, key: key)?.number
}

// Synchronous helpers, so that asynchronous tests resolve synchronously.
private func counted(_ container: Container, _ key: String? = nil) throws -> Counted {
  guard let key else { return try container.resolve(Counted.self) }
  return try container.resolve(Counted.self, key: key)
}
private func numbering(_ container: Container, _ key: Int? = nil) throws -> any Numbering {
  guard let key else { return try container.resolve((any Numbering).self) }
  return try container.resolve((any Numbering).self, key: key)
}

/// A container may take over a registration's storage. That must not be observable.
@Suite("Registrations are values")
struct RegistrationValueTests {
  @Test func modifiersReturnChangedCopies() throws {
    let plain = Registration(Counted.self) { _ in Counted(1) }
    let named = plain.key("named")
    let other = named.key("other").scope(.singleton).eager().onDispose { _ in }.dependsOn(Int.self)
    var copy = named
    copy = copy.key("copy")
    let keys = [nil, "named", "other", "copy"]
    for (registration, key) in zip([plain, named, other, copy], keys) {
      let found = try keys.map { try resolved(registration, key: $0) }
      #expect(found == keys.map { $0 == key ? 1 : nil })
    }
    let container = Container {
      plain
      named
      other
    }
    #expect(container.registrations.map(\.scope) == [.transient, .transient, .singleton])
    #expect(container.registrations.map(\.isEager) == [false, false, true])
    #expect(container.registrations.map(\.dependencies.count) == [0, 0, 1])
    #expect(try counted(container) !== counted(container))
  }

  @Test func copiesDoNotShareHooksOrAliases() throws {
    let journal = Journal<String>()
    let plain = Registration(Counted.self, scope: .singleton) { _ in Counted(1) }
      .onCreated { _, _ in journal.note("first") }
    let more = plain.onCreated { _, _ in journal.note("second") }.implements((any Numbering).self) { $0 }
    let container = Container { plain }
    _ = try counted(container)
    #expect(journal.entries == ["first"])
    #expect(container.registrationCount == 1)
    let other = Container { more }
    _ = try counted(other)
    #expect(journal.entries == ["first", "first", "second"])
    #expect(other.registrationCount == 2)
  }

  @Test func eachContainerKeepsAnInstanceOfItsOwn() async throws {
    let registration = Registration(Counted.self, scope: .singleton) { _ in Counted(1) }
      .implements((any Numbering).self) { $0 }
    let first = Container { registration }
    let second = Container()
    try await second.register(registration)
    let instances = (try counted(first), try counted(second))
    #expect(instances.0 !== instances.1)
    #expect(try numbering(first) === instances.0)
    #expect(try numbering(second) === instances.1)
    await first.unregister(Counted.self)
    #expect(try counted(second) === instances.1)
  }

  @Test func eachRegisteringOfAValueMakesAnIndependentBinding() async throws {
    let registration = Registration(Counted.self, scope: .singleton) { _ in Counted(1) }
    let container = Container()
    try await container.register {
      registration.key("one")
      registration.key("two")
      registration
    }
    let one = try counted(container, "one")
    #expect(try counted(container, "two") !== one)
    #expect(try counted(container) !== one)
    // The same identities again, with new registrations.
    try await container.register {
      registration.key("one")
      registration
    }
    #expect(container.registrationCount == 3)
    #expect(try counted(container, "one") !== one)
  }

  @Test func aModifierDoesNotChangeARegisteredBinding() async throws {
    let registration = Registration(Counted.self, scope: .singleton) { _ in Counted(1) }
    let container = Container()
    try await container.register(registration)
    let instance = try counted(container)
    let keyed = registration.key("later").scope(.transient)
    #expect(try counted(container) === instance)
    #expect(container.registrations.map(\.scope) == [.singleton])
    try await container.register(keyed)
    #expect(container.registrations.map(\.scope) == [.singleton, .transient])
  }

  @Test func severalContainersCanUseOneCollection() async throws {
    let collection = Registrations {
      Registration(Counted.self, scope: .singleton) { _ in Counted(1) }
      Registration(Counted.self) { _ in Counted(2) }.key("two")
    }
    let longer = {
      var longer = collection
      longer.append(Registrations { Registration(String.self) { _ in "three" } })
      return longer
    }()
    #expect((collection.count, longer.count) == (2, 3))
    let containers = [Container { collection }, Container { collection }, Container { longer }]
    let instances = try containers.map { try counted($0) }
    #expect(Set(instances.map(ObjectIdentifier.init)).count == 3)
    #expect(containers.map(\.registrationCount) == [2, 2, 3])
    #expect(!collection.isEmpty && Registrations().isEmpty)
  }

  @Test func aGroupDoesNotChangeItsMembers() throws {
    let member = Registration(Counted.self) { _ in Counted(1) }
    let group = RegistrationGroup(scope: .singleton, key: "group") {
      member
      member.key("own").scope(.graph)
    }
    let container = Container { group }
    #expect(container.registrations.map(\.scope) == [.singleton, .graph])
    #expect(try resolved(member) == 1)
    #expect(try counted(container, "own").number == 1)
    #expect(try counted(container, "group").number == 1)
  }

  @Test func eachContainerAppliesItsOwnDefaultScope() throws {
    let registration = Registration(Counted.self) { _ in Counted(1) }
    let kept = Container(configuration: .init(defaultScope: .singleton)) { registration }
    let transient = Container { registration }
    #expect(try counted(kept) === counted(kept))
    #expect(try counted(transient) !== counted(transient))
  }

  @Test func aRefusedBatchDoesNotChangeItsRegistrations() async throws {
    let registration = Registration(Counted.self, scope: .singleton) { _ in Counted(1) }
      .implements((any Numbering).self) { $0 }
    let strict = Container(configuration: .init(duplicates: .error)) {
      Registration((any Numbering).self, scope: .singleton) { _ in Counted(0) }
    }
    let error = try await asyncResolutionError { try await strict.register(registration) }
    #expect(error.code == .duplicate)
    #expect(strict.registrationCount == 1)
    let other = Container { registration }
    #expect(try numbering(other) === counted(other))
  }

  @Test func aDuplicateInTheFirstBatchLeavesTheOtherRegistrationsUsable() throws {
    let container = Container(configuration: .init(duplicates: .error)) {
      Registration(Counted.self, scope: .singleton) { _ in Counted(1) }.implements((any Numbering).self) { $0 }
      Registration(String.self) { _ in "one" }
      Registration(String.self) { _ in "two" }
    }
    #expect(try counted(container) === numbering(container))
    #expect(throws: ResolutionError.self) { try container.resolve(String.self) }
    #expect(container.registrationCount == 3)
  }

  @Test func aModifiersFaultDoesNotAffectTheOriginal() throws {
    let sound = Registration(Counted.self) { (r: Resolver, number: Int) in Counted(number) }
    let faulty = sound.inheritKey()
    #expect(try Container { sound }.resolve(Counted.self, arguments: 3).number == 3)
    let error = try resolutionError { try Container { faulty }.resolve(Counted.self, arguments: 3) }
    #expect(error.code == .invalidRegistration)
  }

  @Test func manyTasksCanRegisterOneValue() async throws {
    let registration = Registration(Counted.self, scope: .singleton) { _ in Counted(1) }
      .onCreated { _, _ in }.implements((any Numbering).self) { $0 }
    let instances = try await withThrowingTaskGroup { group in
      for number in 0..<64 {
        group.addTask {
          let container = Container()
          try await container.register(registration.key(number))
          let instance = try await container.resolve(Counted.self, key: number)
          #expect(try numbering(container, number) === instance)
          return instance
        }
      }
      return try await group.reduce(into: [Counted]()) { $0.append($1) }
    }
    #expect(Set(instances.map(ObjectIdentifier.init)).count == 64)
  }

  @Test func containersOfOneRegisteredInstanceEndSeparately() async throws {
    weak var released: Counted?
    do {
      let instance = Counted(1)
      released = instance
      let registration = Registration(instance: instance)
      let first = Container { registration }
      let second = Container { registration.implements((any Numbering).self) { $0 } }
      let replaced = Container { registration }
      try await replaced.register(Counted.self) { _ in Counted(2) }
      #expect(try counted(first) === instance)
      #expect(try numbering(second) === instance)
      #expect(try counted(replaced).number == 2)
      await first.reset()
      #expect(try counted(first) === instance)
      try await first.shutdown()
      #expect(try counted(second) === instance)
      await second.unregister(Counted.self)
      #expect(try await second.resolve(Counted?.self) == nil)
    }
    try await until {
      Reclaimer.shared.collect()
      return released == nil
    }
  }

  @Test func aDisposalHookOfAnInstanceIsRefused() async throws {
    let runs = Counter()
    let registration = Registration(instance: Counted(1)).onDispose { _ in _ = runs.increment() }
    let container = Container()
    for faulty in [registration, registration.scope(.scoped), registration.onDispose { _ in await Task.yield() }] {
      let error = try await asyncResolutionError { try await container.register(faulty) }
      #expect(error.code == .invalidRegistration)
      #expect(error.description.contains("the container does not own an instance that it was given"))
      #expect(error.description.contains("RegistrationValueTests.swift:"))
      #expect(throws: ResolutionError.self) { try sync { try Container { faulty }.resolve(Counted.self) } }
    }
    #expect(container.registrationCount == 0)
    try await container.shutdown()
    #expect(runs.count == 0)
  }

  @Test func theErrorOfAFaultyRegistrationHasItsFinalKey() async throws {
    let faulty = Registration(Counted.self) { _ in Counted(1) }
    for registration in [faulty.inheritKey().key("a"), faulty.key("a").inheritKey()] {
      let error = try await asyncResolutionError { try await Container().register(registration) }
      #expect((error.code, error.path) == (.invalidRegistration, ["Counted[\"a\"]"]))
      #expect(error.key as? String == "a")
      let resolving = try resolutionError { try resolved(registration, key: "a") }
      #expect(resolving.key as? String == "a")
    }
    let group = Container {
      RegistrationGroup(key: "a") { faulty.suspending { (_, number: Int) in Counted(number) } }
    }
    #expect(problems(of: group).map { $0.key as? String } == ["a"])
    let arguments = Registration(autowired: Counted.self, arguments: String.self) { (number: Int) in Counted(number) }
    let error = try await asyncResolutionError { try await Container().register(arguments.key("a")) }
    #expect((error.code, error.path) == (.ambiguousArguments, ["Counted(String)[\"a\"]"]))
  }
}
