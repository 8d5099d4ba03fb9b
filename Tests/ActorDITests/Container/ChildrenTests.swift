import ActorDITestSupport
import Testing

@testable import ActorDI

/// Containers made as children of others.
@Suite("Child containers", .timeLimit(.minutes(5)))
struct ChildrenTests {
  @Test func aChildHasItsNameConfigurationAndRegistrations() async throws {
    let parent = Container(configuration: .init(defaultScope: .singleton)) {
      Registration(Probe.self) { _ in Probe("parent") }
    }
    let plain = parent.makeChild()
    #expect(plain.name == "child" && plain.parent === parent && plain.registrationCount == 0)
    #expect(plain.configuration.defaultScope == .singleton, "The parent's configuration is the default")
    let named = parent.makeChild(name: "named", configuration: .init(defaultScope: .transient)) {
      Registration(Alpha.self) { _ in Alpha() }
    }
    #expect(named.name == "named" && named.configuration.defaultScope == .transient)
    #expect(try await named.resolve(Alpha.self) !== named.resolve(Alpha.self))
    #expect(try await named.resolve(Probe.self) === parent.resolve(Probe.self))
    #expect(!parent.contains(Alpha.self))
  }

  @Test func aChildFindsLaterRegistrationsOfItsAncestors() async throws {
    let parent = Container()
    let child = parent.makeChild()
    let grandchild = child.makeChild()
    let error = try await asyncResolutionError { try await grandchild.resolve(Probe.self) }
    #expect(error.code == .notRegistered)
    try await parent.register(Probe.self, scope: .singleton) { _ in Probe("late") }
    #expect(try await grandchild.resolve(Probe.self) === parent.resolve(Probe.self))
    #expect(try await grandchild.resolve(Probe?.self)?.name == "late")
    try await child.register(Probe.self) { _ in Probe("nearer") }
    #expect(try await grandchild.resolve(Probe.self).name == "nearer")
    await child.clear()
    #expect(try await grandchild.resolve(Probe.self).name == "late")
  }

  @Test func aParentFindsItsLivingChildrenByName() async throws {
    let parent = Container()
    #expect(parent.child(named: "box") == nil)
    let first = parent.makeChild(name: "box")
    var second: Container? = parent.makeChild(name: "box")
    let other = Container(name: "other", parent: parent)
    #expect(parent.child(named: "box") === first, "The first child of that name")
    #expect(parent.child(named: "other") === other, "A child made by the initialiser")
    let below = first.makeChild(name: "below")
    #expect(parent.child(named: "below") == nil && first.child(named: "below") === below)
    #expect(second.map { first.child(named: $0.name) == nil } == true)
    second = nil
    #expect(parent.child(named: "box") === first)
  }

  @Test func aParentDoesNotKeepItsChildrenAlive() {
    let parent = Container()
    var boxes: [Container] = []
    for _ in 0..<100 { boxes.append(parent.makeChild(name: "box")) }
    let last = boxes.last
    boxes = []
    #expect(parent.child(named: "box") === last)
    #expect(parent.lazySubordinateList.load()?.all.count == 1)
  }

  @Test func theTotalRegistrationCountIncludesDescendants() async throws {
    let root = Container {
      Alpha()
      Setting()
    }
    let left = root.makeChild { Alpha() }
    var right: Container? = root.makeChild {
      Registration(Polite.self) { _ in Polite() }.implements((any Greeter).self) { $0 }
    }
    let below = right?.makeChild { Setting() }
    #expect(root.registrationCount == 2)
    #expect(root.totalRegistrationCount == 6 && left.totalRegistrationCount == 1)
    #expect(right?.totalRegistrationCount == 3 && below?.totalRegistrationCount == 1)
    right = nil
    #expect(root.totalRegistrationCount == 6, "Its child keeps the container alive")
    try await left.register(Probe.self) { _ in Probe() }
    #expect(root.totalRegistrationCount == 7)
  }

  @Test func countingAndClearingReachALongChainOfDescendants() async {
    let root = Container { Alpha() }
    var line = [root]
    for _ in 0..<1_500 { line.append(line[line.count - 1].makeChild { Alpha() }) }
    #expect(root.totalRegistrationCount == 1_501)
    await line[1].clearAll()
    #expect(root.totalRegistrationCount == 1)
    // From the last to the first, so that no release recurses deeply.
    while line.popLast() != nil {}
  }
}

@Suite("Clearing", .timeLimit(.minutes(5)))
struct ClearTests {
  private static func container(_ parent: Container? = nil) -> Container {
    Container(parent: parent) {
      Registration(Probe.self, scope: .singleton) { _ in Probe() }
      Registration(Probe.self) { (_, name: String) in Probe(name) }
      Registration(Polite.self, scope: .singleton) { _ in Polite() }.implements((any Greeter).self) { $0 }
      Registration(.init("token"), scope: .singleton) { _ in Alpha() }
    }
  }

  @Test func clearRemovesTheContainersOwnRegistrations() async throws {
    let container = Self.container()
    let child = Self.container(container)
    _ = try await container.resolve(ServiceKey<Alpha>("token"))
    await container.clear()
    #expect(container.registrationCount == 0 && container.registrations.isEmpty)
    #expect(!container.contains(Probe.self) && !container.contains((any Greeter).self))
    #expect(container.resolveIfReady(Alpha.self, key: "token") == nil)
    for code in [
      try await asyncResolutionError { try await container.resolve(Probe.self) }.code,
      try await asyncResolutionError { try await container.resolve(Probe.self, arguments: "") }.code,
      try await asyncResolutionError { try await container.resolve(ServiceKey<Alpha>("token")) }.code,
    ] {
      #expect(code == .notRegistered)
    }
    #expect(child.registrationCount == 5, "A child keeps its own registrations")
    await container.clear()
  }

  @Test func aClearedContainerStaysUsable() async throws {
    let container = Self.container()
    let old = try await container.resolve(Probe.self)
    await container.clear()
    try await container.register(Probe.self, scope: .singleton) { _ in Probe("new") }
    #expect(container.registrationCount == 1)
    let new = try await container.resolve(Probe.self)
    #expect(new !== old && new.name == "new")
  }

  @Test func clearReleasesInstances() async throws {
    let lifetime = ObjectLifetime()
    let container = Container { Registration(ObjectLifetime.Token.self, scope: .singleton) { _ in lifetime.token() } }
    _ = try await container.resolve(ObjectLifetime.Token.self)
    await container.clear()
    try await lifetime.ended.passed()
  }

  @Test func clearKeepsSavedAndFrozenRegistrations() async throws {
    let container = Self.container()
    let probe = try await container.resolve(Probe.self)
    await container.push()
    await container.clear()
    #expect(container.registrationCount == 0)
    await container.pop()
    #expect(container.registrationCount == 5)
    #expect(try await container.resolve(Probe.self) === probe, "pop restores the saved instances")
    await container.freeze()
    await container.clearAll()
    #expect(container.registrationCount == 5)
  }

  @Test func clearAllReachesAllDescendants() async throws {
    let root = Self.container()
    let child = Self.container(root)
    let grandchild = Self.container(child)
    let sibling = Self.container()
    await child.clearAll()
    #expect(child.registrationCount == 0 && grandchild.registrationCount == 0)
    #expect(root.registrationCount == 5 && sibling.registrationCount == 5)
    #expect(grandchild.contains(Probe.self), "The root still has it")
    await root.clearAll()
    #expect(!grandchild.contains(Probe.self) && root.totalRegistrationCount == 0)
  }

  @Test func waitersGetTheInstanceOfABuildInFlightDuringAClear() async throws {
    let started = Gate()
    let gate = Gate()
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in
        started.open()
        await gate.wait()
        return Probe("old")
      }
    }
    async let probe = container.resolve(Probe.self)
    try await started.passed()
    await container.clear()
    gate.open()
    #expect(try await probe.name == "old")
    #expect(container.resolveIfReady(Probe.self) == nil && !container.contains(Probe.self))
  }
}
