import ActorDITestSupport
import Synchronization
import Testing

@testable import ActorDI

/// Transients under observation. The fast path builds transients without notifying, so they take the slow path while there are observers.
@Suite("Transients under observation", .timeLimit(.minutes(5)))
struct ObservedTransientTests {
  private func container() -> Container {
    Container {
      Registration(Alpha.self) { _ in Alpha() }
      Registration(Setting.self) { _ in Setting() }.key("key")
      Registration(.token) { _ in Setting() }
      Registration(autowired: Beta.self, initializer: Beta.init)
      Registration(Probe.self) { (_, name: String) in Probe(name) }
    }
  }

  private func binding<Service>(_ container: Container, _ type: Service.Type) throws -> Binding {
    try #require(container.ownBinding(of: ServiceIdentity(type)))
  }

  @Test func everyFormOfResolveReportsATransient() async throws {
    let container = container()
    let provider = container.provider(for: Alpha.self)
    let stream = container.events()
    try sync {
      _ = try container.resolve(Alpha.self)
      _ = try container.resolve(Setting.self, key: "key")
      _ = try container.resolve(.token)
      _ = try container.resolve(Probe.self, arguments: "name")
      _ = try provider.synchronously()
      _ = try container.resolveAny(Alpha.self)
      _ = try container.resolve(Beta.self)
    }
    _ = try await container.resolve(Alpha.self)
    _ = try await container.resolve(Setting.self, key: "key")
    _ = try await container.resolve(Beta.self)
    let events = try await stream.taken(from: container)
    #expect(
      events.summaries == [
        "created Alpha", "created Setting", "created Setting", "created Probe", "created Alpha",
        "created Alpha", "created Alpha", "created Beta",
        "created Alpha", "created Setting", "created Alpha", "created Beta",
      ])
    #expect(events[6].path == ["Beta", "Alpha"] && events[10].path == ["Beta", "Alpha"])
  }

  @Test func transientsAreReportedUntilTheLastSubscriberLeaves() async throws {
    let container = container()
    let child = container.makeChild { Registration(Leaf.self) { _ in Leaf() } }
    var streams = [container.events(), container.events(), child.events()]
    #expect(container.isObserved && child.isObserved)
    streams.removeFirst()
    _ = try sync { try container.resolve(Alpha.self) }
    #expect(try await streams[0].taken(from: container).summaries == ["created Alpha"])
    streams.removeFirst()
    #expect(!container.isObserved && child.isObserved)
    _ = try sync { (try container.resolve(Alpha.self), try child.resolve(Leaf.self), try child.resolve(Alpha.self)) }
    #expect(try await streams[0].taken(from: child).summaries == ["created Leaf", "created Alpha"])
    streams.removeFirst()
    #expect(!container.isObserved && !child.isObserved)
  }

  @Test func aContainerReportsTransientsRegisteredWhileObserved() async throws {
    let container = container()
    let alpha = try binding(container, Alpha.self)
    await container.push()
    try await container.register(Alpha.self) { _ in Alpha() }
    let stream = container.events()
    let child = container.makeChild { Registration(Leaf.self) { _ in Leaf() } }
    try await container.register(Root.self) { _ in Root() }
    try await container.decorate(Setting.self) { _, inner in inner }
    let before = try await stream.taken(from: container).count
    #expect(before > 0)
    try sync {
      _ = try child.resolve(Leaf.self)
      _ = try container.resolve(Root.self)
      _ = try container.resolve(Setting.self, key: "key")
    }
    #expect(
      try await stream.taken(from: container).summaries == ["created Leaf", "created Root", "created Setting"])
    await container.pop()
    #expect(try binding(container, Alpha.self) === alpha)
    _ = try await stream.taken(from: container)
    _ = try sync { try container.resolve(Alpha.self) }
    #expect(try await stream.taken(from: container).summaries == ["created Alpha"])
  }

  @Test func aSubscriberElsewhereDoesNotObserveAContainer() throws {
    let container = container()
    let other = Container()
    let stream = other.events()
    _ = try container.resolve(Alpha.self)
    #expect(!container.isObserved && container.observedNow == nil)
    #expect(container.lazyEventFeed.load() == nil)
    withExtendedLifetime(stream) {}
  }
}

extension ServiceKey where Service == Setting {
  fileprivate static var token: Self { .init("token") }
}
