import ActorDITestSupport
import Testing

@testable import ActorDI

@Suite("Links between containers")
struct LinkTests {
  private static func named(_ name: String) -> Container {
    Container(name: name) {
      Registration(String.self) { _ in name }.key(name)
      Registration(Probe.self, scope: .singleton) { _ in Probe(name) }.key(name)
    }
  }

  @Test func aContainerFindsServicesOfALinkedContainer() async throws {
    let (front, back) = (Self.named("front"), Self.named("back"))
    #expect(!front.contains(String.self, key: "back"))
    front.link(back)
    #expect(front.contains(String.self, key: "back"))
    #expect(try sync { try front.resolve(String.self, key: "back") } == "back")
    #expect(try await front.resolve(String.self, key: "back") == "back")
    #expect(!back.contains(String.self, key: "front"))
  }

  @Test func linkedContainersShareAKeptInstance() async throws {
    let (front, back) = (Self.named("front"), Self.named("back"))
    front.link(back)
    let probe = try await front.resolve(Probe.self, key: "back")
    #expect(try await back.resolve(Probe.self, key: "back") === probe)
    #expect(front.resolveIfReady(Probe.self, key: "back") === probe)
  }

  @Test func containersCanBeLinkedInACircle() async throws {
    let containers = ["a", "b", "c"].map(Self.named)
    let links = [
      containers[0].link(containers[1]), containers[1].link(containers[2]),
      containers[2].link(containers[0]),
    ]
    defer { for link in links { link.cancel() } }
    for container in containers {
      for name in ["a", "b", "c"] {
        #expect(try await container.resolve(Probe.self, key: name).name == name)
      }
      #expect(try await container.resolve([Probe].self).count == 3)
      #expect(throws: ResolutionError.self) { try container.resolve(Probe.self, key: "d") }
    }
  }

  @Test func aLookupSearchesTheContainerThenItsLinksThenItsParent() throws {
    func with(_ name: String, parent: Container? = nil, if isThere: Bool = true) -> Container {
      Container(name: name, parent: parent) {
        if isThere { Registration(String.self) { _ in name } }
      }
    }
    let first = with("first", if: false)
    let second = with("second")
    let third = with("third")
    let container = with("own", parent: with("parent"), if: false)
    #expect(try container.resolve(String.self) == "parent")
    container.link(third)
    #expect(try container.resolve(String.self) == "third")
    // The links of an earlier link take precedence over a later link.
    let fourth = with("fourth", if: false)
    fourth.link(first)
    first.link(second)
    fourth.link(third)
    #expect(try fourth.resolve(String.self) == "second")
  }

  @Test func aLookupSearchesTheParentsLinks() throws {
    let parent = Self.named("parent")
    let linked = Self.named("linked")
    parent.link(linked)
    let child = Container(name: "child", parent: parent)
    let grandchild = Container(name: "grandchild", parent: child)
    #expect(try grandchild.resolve(String.self, key: "linked") == "linked")
    #expect(try grandchild.resolve([String].self) == ["linked", "parent"])
  }

  @Test func collectionsListLinkedServicesInOrderOfTheLinks() throws {
    let container = Self.named("own")
    for name in ["first", "second"] { container.link(Self.named(name)) }
    #expect(try container.resolve([String].self) == ["first", "second", "own"])
  }

  @Test func aNearerRegistrationHidesALinkedOne() throws {
    let (front, back) = (
      Container { Registration(String.self) { _ in "front" } }, Container { Registration(String.self) { _ in "back" } }
    )
    front.link(back)
    #expect(try front.resolve(String.self) == "front")
    #expect(try front.resolve([String].self) == ["front"])
  }

  @Test func cancellingALinkRemovesThatLinkOnly() throws {
    let (front, back) = (Self.named("front"), Self.named("back"))
    let link = front.link(back)
    front.link(back)
    link.cancel()
    link.cancel()
    #expect(front.contains(String.self, key: "back"))
    #expect(front.links.count == 1)
  }

  @Test func aLinkKeepsItsTargetAliveUntilItIsCancelled() async throws {
    let lifetime = ObjectLifetime()
    let front = Container()
    let link = front.link(
      Container {
        Registration(ObjectLifetime.Token.self, scope: .singleton) { _ in lifetime.token() }
      })
    _ = try await front.resolve(ObjectLifetime.Token.self)
    #expect(!lifetime.hasEnded)
    link.cancel()
    await lifetime.ended.wait()
  }

  @Test func aLinkDoesNotKeepTheTargetOfAFreedContainerAlive() async throws {
    let lifetime = ObjectLifetime()
    let link: Container.Link
    do {
      let front = Container()
      link = front.link(
        Container {
          Registration(ObjectLifetime.Token.self, scope: .singleton) { _ in lifetime.token() }
        })
      _ = try await front.resolve(ObjectLifetime.Token.self)
    }
    await lifetime.ended.wait()
    link.cancel()
  }

  @Test func aRunningFactoryKeepsItsContainerAlive() async throws {
    let lifetime = ObjectLifetime()
    let (entered, mayReturn) = (Gate(), Gate())
    let front = Container()
    let link = front.link(
      Container {
        Registration(ObjectLifetime.Token.self, scope: .singleton) { _ in lifetime.token() }
        Registration(Probe.self) { r in
          _ = try await r.container.resolve(ObjectLifetime.Token.self)
          entered.open()
          await mayReturn.wait()
          return Probe()
        }
      })
    async let probe = front.resolve(Probe.self)
    await entered.wait()
    link.cancel()
    mayReturn.open()
    _ = try await probe
    await lifetime.ended.wait()
  }

  @Test func aLinkedTransientTakesItsDependenciesFromTheContainerAsked() throws {
    let back = Container {
      Registration(String.self) { _ in "back" }
      Registration(Probe.self) { r in Probe(try r.resolve()) }
    }
    let front = Container { Registration(String.self) { _ in "front" } }
    front.link(back)
    #expect(try front.resolve(Probe.self).name == "front")
  }

  @Test func aCycleAcrossLinkedContainersThrows() async throws {
    let front = Container(name: "front") {
      Registration(Root.self, scope: .singleton) { r in Root(try r.resolve(Leaf.self)) }
    }
    let back = Container(name: "back") {
      Registration(Leaf.self, scope: .singleton) { r in Leaf(try r.resolve(Root.self)) }
    }
    let links = [front.link(back), back.link(front)]
    defer { for link in links { link.cancel() } }
    let error = #expect(throws: ResolutionError.self) { try front.resolve(Root.self) }
    #expect(error?.code == .cycle)
    #expect(error?.path == ["Root", "Leaf", "Root"])
  }

  @Test(arguments: [1, 2, 3])
  func shutdownsFreeContainersLinkedInACircle(count: Int) async throws {
    let lifetimes = (0..<count).map { _ in ObjectLifetime() }
    do {
      let containers = lifetimes.map { lifetime in
        Container {
          // The registration holds the token, and the container holds the registration.
          let token = lifetime.token()
          Registration(Probe.self) { _ in withExtendedLifetime(token) { Probe() } }
        }
      }
      for (index, container) in containers.enumerated() { container.link(containers[(index + 1) % count]) }
      for container in containers { try await container.shutdown() }
      // A link made after the closing holds nothing.
      for (index, container) in containers.enumerated() { container.link(containers[(index + 1) % count]) }
    }
    for lifetime in lifetimes { try await lifetime.ended.passed() }
  }

  // A regression: closed containers that were linked in a circle kept each other.
  @Test func aClosedContainerKeepsNoLink() async throws {
    let (first, second) = (Container(), Container())
    try await first.shutdown()
    first.link(second)
    #expect(first.links.isEmpty)
  }
}
