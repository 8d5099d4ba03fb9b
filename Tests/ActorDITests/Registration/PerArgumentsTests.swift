import ActorDITestSupport
import Testing

@testable import ActorDI

private protocol Named: Sendable { var id: ObjectIdentifier { get } }
private final class Person: Named {
  let name: String
  let token: ObjectLifetime.Token?
  init(_ name: String, _ token: ObjectLifetime.Token? = nil) {
    self.name = name
    self.token = token
  }
  var id: ObjectIdentifier { ObjectIdentifier(self) }
}

/// An argument with a poor hash, whose `==` uses the container.
private struct ReentrantArgument: Hashable, Sendable {
  let number: Int
  let container: Shelf<Container?>
  func hash(into hasher: inout Hasher) {}
  static func == (left: ReentrantArgument, right: ReentrantArgument) -> Bool {
    _ = try? left.container.value?.resolve(Probe.self, arguments: left.container.value == nil)
    return left.number == right.number
  }
}

private struct Opaque: Sendable {}

@Suite("Instances per arguments", .timeLimit(.minutes(5)))
struct PerArgumentsTests {
  @Test(arguments: keepingScopes)
  func aSynchronousResolveKeepsAnInstancePerArguments(scope: Scope) throws {
    let builds = Counter()
    let container = Container {
      Registration(Person.self, scope: scope) { (_, name: String, number: Int) in
        builds.increment()
        return Person("\(name) \(number)")
      }.perArguments()
    }
    let ada = try container.resolve(Person.self, arguments: "Ada", 1)
    let bob = try container.resolve(Person.self, arguments: "Bob", 1)
    let ada2 = try container.resolve(Person.self, arguments: "Ada", 2)
    #expect([ada.name, bob.name, ada2.name] == ["Ada 1", "Bob 1", "Ada 2"])
    #expect(try container.resolve(Person.self, arguments: "Ada", 1) === ada)
    #expect(try container.resolve(Person.self, arguments: "Bob", 1) === bob)
    #expect(try container.resolve(Person.self, arguments: "Ada", 2) === ada2)
    #expect(builds.count == 3)
  }

  @Test(arguments: keepingScopes)
  func anAsynchronousResolveKeepsAnInstancePerArguments(scope: Scope) async throws {
    let builds = Counter()
    let container = Container {
      Registration(Person.self, scope: scope) { (_, name: String) async in
        builds.increment()
        await Task.yield()
        return Person(name)
      }.perArguments()
    }
    let ada = try await container.resolve(Person.self, arguments: "Ada")
    let bob = try await container.resolve(Person.self, arguments: "Bob")
    #expect(ada !== bob && bob.name == "Bob")
    #expect(try await container.resolve(Person.self, arguments: "Ada") === ada)
    #expect(try sync { try container.resolve(Person.self, arguments: "Bob") } === bob)
    let error = try resolutionError { try container.resolve(Person.self, arguments: "Cid") }
    #expect(error.code == .asyncRequired)
    #expect(builds.count == 2)
  }

  @Test func aGraphSharesInstancesPerArguments() async throws {
    let builds = Counter()
    let container = Container {
      Registration(Person.self, scope: .graph) { (_, name: String) in
        builds.increment()
        return Person(name)
      }.perArguments()
      Registration([Person].self) { r in
        try ["Ada", "Bob", "Ada"].map { try r.resolve(Person.self, arguments: $0) }
      }
      Registration([Person].self) { r in
        await Task.yield()
        return try await [
          r.resolve(Person.self, arguments: "Ada"), r.resolve(Person.self, arguments: "Bob"),
          r.resolve(Person.self, arguments: "Ada"),
        ]
      }.key("async")
    }
    let first = try sync { try container.resolve([Person].self) }
    let second = try await container.resolve([Person].self, key: "async")
    for people in [first, second] {
      #expect(people[0] === people[2] && people[0] !== people[1])
      #expect(people.map(\.name) == ["Ada", "Bob", "Ada"])
    }
    #expect(first[0] !== second[0] && builds.count == 4)
  }

  @Test func eachResolveBuildsANewTransient() throws {
    let container = Container {
      Registration(Person.self) { (_, name: String) in Person(name) }.perArguments()
    }
    #expect(
      try container.resolve(Person.self, arguments: "Ada")
        !== container.resolve(Person.self, arguments: "Ada"))
  }

  @Test func optionalArgumentsAreComparedByValue() throws {
    let container = Container {
      Registration(Person.self, scope: .singleton) { (_, name: String?) in Person(name ?? "none") }
        .perArguments()
    }
    let ada = try container.resolve(Person.self, arguments: Optional("Ada"))
    let none = try container.resolve(Person.self, arguments: String?.none)
    #expect(ada.name == "Ada" && none.name == "none")
    #expect(try container.resolve(Person.self, arguments: Optional("Ada")) === ada)
    #expect(try container.resolve(Person.self, arguments: String?.none) === none)
  }

  @Test func listedArgumentsOfAnInitialiserSelectTheInstance() throws {
    final class Card: Sendable {
      let alpha: Alpha
      let number: Int
      init(alpha: Alpha, number: Int) {
        self.alpha = alpha
        self.number = number
      }
    }
    let container = Container {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
      Registration(autowired: Card.self, scope: .singleton, arguments: Int.self, initializer: Card.init)
        .perArguments()
    }
    let one = try container.resolve(Card.self, arguments: 1)
    #expect(try container.resolve(Card.self, arguments: 2).number == 2)
    #expect(try container.resolve(Card.self, arguments: 1) === one)
  }

  @Test(arguments: keepingScopes + [.graph])
  func aliasesResolveTheSameInstancePerArguments(scope: Scope) async throws {
    let container = Container {
      Registration(Person.self, scope: scope) { (_, name: String) in Person(name) }
        .perArguments()
        .implements((any Named).self) { $0 }
      Registration([ObjectIdentifier].self) { r in
        let ada = try r.resolve(Person.self, arguments: "Ada")
        let bob = try r.resolve((any Named).self, arguments: "Bob")
        return try withExtendedLifetime((ada, bob)) {
          try [
            ada.id, r.resolve((any Named).self, arguments: "Ada").id, bob.id,
            r.resolve(Person.self, arguments: "Bob").id,
          ]
        }
      }
    }
    let ids = try await container.resolve([ObjectIdentifier].self)
    #expect(ids[0] == ids[1] && ids[2] == ids[3] && ids[0] != ids[2])
  }

  @Test func aResetDropsTheInstancesOfAllArguments() async throws {
    let period = ManagedScope("period")
    let container = Container {
      Registration(Person.self, scope: .managed(by: period)) { (_, name: String) in Person(name) }
        .perArguments()
        .implements((any Named).self) { $0 }
    }
    let resets: [@Sendable () async -> Void] = [
      { await container.reset() }, { await container.reset(.managed(by: period)) },
      { await container.reset(Person.self) }, { await container.reset((any Named).self) },
      { await period.invalidate() },
    ]
    for reset in resets {
      let old = try await [
        container.resolve(Person.self, arguments: "Ada"), container.resolve(Person.self, arguments: "Bob"),
      ]
      await reset()
      #expect(try await container.resolve(Person.self, arguments: "Ada") !== old[0])
      #expect(try await container.resolve((any Named).self, arguments: "Bob").id != old[1].id)
    }
  }

  @Test func aReplacementDropsTheInstances() async throws {
    let container = Container {
      Registration(Person.self, scope: .singleton) { (_, name: String) in Person(name) }.perArguments()
    }
    let old = try await container.resolve(Person.self, arguments: "Ada")
    try await container.register {
      Registration(Person.self, scope: .singleton) { (_, name: String) in Person("new \(name)") }
        .perArguments()
    }
    let new = try await container.resolve(Person.self, arguments: "Ada")
    #expect(new !== old && new.name == "new Ada")
    #expect(await container.unregister(Person.self))
    let error = try await asyncResolutionError {
      try await container.resolve(Person.self, arguments: "Ada")
    }
    #expect(error.code == .notRegistered)
  }

  @Test(arguments: keepingScopes)
  func wrappersAreKeptPerArguments(scope: Scope) async throws {
    let container = Container {
      Registration(Person.self, scope: scope) { (_, name: String) in Person(name) }
        .perArguments()
        .implements((any Named).self) { $0 }
    }
    try await container.decorate(Person.self) { _, inner in Person("Dr \(inner.name)") }
    try await container.decorate((any Named).self) { _, inner in inner }
    let ada = try await container.resolve(Person.self, arguments: "Ada")
    let bob = try await container.resolve(Person.self, arguments: "Bob")
    #expect(ada.name == "Dr Ada" && bob.name == "Dr Bob")
    #expect(try await container.resolve(Person.self, arguments: "Ada") === ada)
    let (first, second) = try await (
      container.resolve((any Named).self, arguments: "Ada"), container.resolve((any Named).self, arguments: "Bob")
    )
    #expect(first.id != second.id)
    #expect(try await container.resolve((any Named).self, arguments: "Ada").id == first.id)
    withExtendedLifetime((first, second, bob)) {}
  }

  @Test func aServiceCanDependOnItselfWithOtherArgumentsOnly() async throws {
    let container = Container {
      Registration(Root.self, scope: .singleton) { (r, number: Int) in
        Root(number == 0 ? nil : try r.resolve(Root.self, arguments: number - 1))
      }.perArguments()
      Registration(Stem.self, scope: .singleton) { (r, number: Int) in
        Stem(try r.resolve(Stem.self, arguments: 1 - number))
      }.perArguments()
      Registration(Leaf.self, scope: .singleton) { (r, number: Int) async throws in
        Leaf(try await r.resolve(Leaf.self, arguments: 1 - number))
      }.perArguments()
    }
    let three = try sync { try container.resolve(Root.self, arguments: 3) }
    #expect(try await three.next as? Root === container.resolve(Root.self, arguments: 2))
    let cycle = try resolutionError { try container.resolve(Stem.self, arguments: 0) }
    #expect(cycle.code == .cycle && cycle.path.first == cycle.path.last)
    let other = try await asyncResolutionError { try await container.resolve(Leaf.self, arguments: 0) }
    #expect(other.code == .cycle && other.path == ["Leaf(Int)", "Leaf(Int)", "Leaf(Int)"])
  }

  @Test func comparingArgumentsCanUseTheContainer() async throws {
    let shelf = Shelf<Container?>(nil)
    let container = Container {
      Registration(Probe.self, scope: .singleton) { (_, _: Bool) in Probe() }.perArguments()
      Registration(Person.self, scope: .singleton) { (_, key: ReentrantArgument) in Person("\(key.number)") }
        .perArguments()
    }
    shelf.value = container
    defer { shelf.value = nil }
    for number in [0, 1, 2, 1, 40, 0] {
      let key = ReentrantArgument(number: number, container: shelf)
      #expect(try await container.resolve(Person.self, arguments: key).name == "\(number)")
    }
    let binding = try #require(container.ownBindings(of: Person.self).first)
    let key = ReentrantArgument(number: 1, container: shelf)
    let person = try await container.resolve(Person.self, arguments: key)
    #expect(try await container.resolve(Person.self, arguments: key) === person)
    withExtendedLifetime(binding) {}
  }
}

@Suite("Concurrent builds per arguments", .timeLimit(.minutes(5)))
struct PerArgumentsConcurrencyTests {
  @Test func concurrentTasksBuildOncePerArguments() async throws {
    let (gate, begun, builds) = (Gate(), Counter(), Counter())
    let container = Container {
      Registration(Person.self, scope: .singleton) { (_, name: String) async in
        builds.increment()
        begun.increment()
        await gate.wait()
        return Person(name)
      }.perArguments()
    }
    let stage = Stage()
    var waiters: [Task<Person, any Error>] = []
    for number in 0..<20 {
      waiters.append(
        await stage.start { _ in try await container.resolve(Person.self, arguments: "\(number % 2)") })
    }
    await begun.wait(for: 2)
    gate.open()
    var people: [Person] = []
    for waiter in waiters { people.append(try await waiter.value) }
    #expect(builds.count == 2, "Builds with different arguments run in parallel, each once")
    #expect(Set(people.map(\.id)).count == 2)
  }

  @Test func aFailureOrCancellationAffectsOnlyItsArguments() async throws {
    let (begun, cancelled) = (Gate(), Gate())
    let container = Container {
      Registration(Person.self, scope: .singleton) { (_, name: String) async throws in
        if name == "fails" { throw Boom() }
        if name == "hangs" {
          begun.open()
          await withTaskCancellationHandler {
            await cancelled.wait()
          } onCancel: {
            cancelled.open()
          }
          try Task.checkCancellation()
        }
        return Person(name)
      }.perArguments()
    }
    let hanging = Task { try await container.resolve(Person.self, arguments: "hangs") }
    try await begun.passed()
    await #expect(throws: Boom.self) { try await container.resolve(Person.self, arguments: "fails") }
    #expect(try await container.resolve(Person.self, arguments: "Ada").name == "Ada")
    hanging.cancel()
    await #expect(throws: CancellationError.self) { try await hanging.value }
  }

  @Test func aResetDuringABuildDiscardsItsInstance() async throws {
    let (begun, gate, builds) = (Gate(), Gate(), Counter())
    let container = Container {
      Registration(Person.self, scope: .singleton) { (_, name: String) async in
        let number = builds.increment()
        begun.open()
        if number == 1 { await gate.wait() }
        return Person("\(number)")
      }.perArguments()
    }
    let early = Task { try await container.resolve(Person.self, arguments: "Ada") }
    try await begun.passed()
    await container.reset()
    gate.open()
    #expect(try await early.value.name == "1")
    #expect(try await container.resolve(Person.self, arguments: "Ada").name == "2")
  }
}

@Suite("Memory of instances per arguments", .timeLimit(.minutes(5)))
struct PerArgumentsLifetimeTests {
  private func cells(_ container: Container) throws -> Int {
    try #require(container.ownBindings(of: Person.self).first?.argumentCells?.all.count)
  }

  @Test func releasedInstancesAreSwept() async throws {
    let container = Container {
      Registration(Person.self, scope: .shared) { (_, number: Int) in Person("\(number)") }.perArguments()
    }
    let kept = try await container.resolve(Person.self, arguments: -1)
    for number in 0..<1000 { _ = try await container.resolve(Person.self, arguments: number) }
    #expect(try cells(container) <= 32)
    #expect(try await container.resolve(Person.self, arguments: -1) === kept)
  }

  @Test func failedBuildsAreSwept() async throws {
    let container = Container {
      Registration(Person.self, scope: .singleton) { (_, number: Int) in
        if number >= 0 { throw Boom(number: number) }
        return Person("kept")
      }.perArguments()
    }
    let kept = try await container.resolve(Person.self, arguments: -1)
    for number in 0..<1000 {
      #expect(throws: Boom(number: number)) { try container.resolve(Person.self, arguments: number) }
    }
    #expect(try cells(container) <= 32)
    #expect(try await container.resolve(Person.self, arguments: -1) === kept)
  }

  @Test func argumentsThatDoNotEqualThemselvesKeepNoInstance() async throws {
    let container = Container {
      Registration(Person.self, scope: .singleton) { (_, number: Double) in Person("\(number)") }
        .perArguments()
    }
    for _ in 0..<10 { _ = try await container.resolve(Person.self, arguments: Double.nan) }
    #expect(try cells(container) == 0)
    let zero = try await container.resolve(Person.self, arguments: 0.0)
    #expect(try await container.resolve(Person.self, arguments: -0.0) === zero)
  }

  @Test(arguments: keepingScopes + [.graph])
  func freeingTheContainerReleasesInstancesAndArguments(scope: Scope) async throws {
    let (service, argument) = (ObjectLifetime(), ObjectLifetime())
    struct Tag: Hashable, Sendable {
      let token: ObjectLifetime.Token
      static func == (left: Tag, right: Tag) -> Bool { left.token === right.token }
      func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(token)) }
    }
    func use() async throws {
      let container = Container {
        Registration(Person.self, scope: scope) { (_, _: Tag) in Person("", service.token()) }
          .perArguments()
          .implements((any Named).self) { $0 }
      }
      _ = try await container.resolve((any Named).self, arguments: Tag(token: argument.token()))
    }
    try await use()
    try await service.ended.passed()
    try await argument.ended.passed()
  }

  @Test func aResetReleasesTheInstances() async throws {
    let lifetime = ObjectLifetime()
    let container = Container {
      Registration(Person.self, scope: .singleton) { (_, _: Int) in Person("", lifetime.token()) }
        .perArguments()
    }
    _ = try await container.resolve(Person.self, arguments: 1)
    #expect(!lifetime.hasEnded)
    await container.reset()
    try await lifetime.ended.passed()
    withExtendedLifetime(container) {}
  }
}

@Suite("Invalid registrations per arguments", .timeLimit(.minutes(5)))
struct PerArgumentsFaultTests {
  private var opaque: Registration<Person> {
    Registration(Person.self, scope: .singleton) { (_, _: String, _: Opaque) in Person("") }.perArguments()
  }
  private var bare: Registration<Person> {
    Registration(Person.self, scope: .singleton) { _ in Person("") }.perArguments()
  }

  @Test func argumentsMustBeHashable() async throws {
    let container = Container()
    let error = try await asyncResolutionError { try await container.register(opaque) }
    #expect(error.code == .invalidRegistration)
    #expect(
      error.description.hasPrefix(
        "The registration of Person(String, Opaque) is invalid.\n"
          + "It is kept per arguments, but these are not Hashable: Opaque. Make them Hashable, or remove perArguments()."
      ))
    #expect(container.registrationCount == 0)
  }

  @Test func existentialArgumentsAreRefused() async throws {
    let container = Container()
    let registration = Registration(Person.self, scope: .singleton) { (_, _: any Hashable & Sendable) in
      Person("")
    }.perArguments()
    let error = try await asyncResolutionError { try await container.register(registration) }
    #expect(error.code == .invalidRegistration)
  }

  @Test func aFactoryWithoutArgumentsIsRefused() async throws {
    let container = Container()
    let error = try await asyncResolutionError { try await container.register(bare) }
    #expect(error.code == .invalidRegistration)
    #expect(error.description.contains("its factory takes none"))
  }

  @Test func invalidRegistrationsInTheFirstBatchFailTheResolve() async throws {
    let container = Container {
      opaque
      bare
      Registration(Alpha.self) { _ in Alpha() }
    }
    #expect(container.registrationCount == 3)
    _ = try await container.resolve(Alpha.self)
    let first = try resolutionError { try container.resolve(Person.self) }
    let second = try await asyncResolutionError {
      try await container.resolve(Person.self, arguments: "", Opaque())
    }
    #expect(first.code == .invalidRegistration && second.code == .invalidRegistration)
    #expect(second.description.contains("not Hashable: Opaque"))
  }
}
