import ActorDITestSupport
import Testing

@testable import ActorDI

/// The stamp by which injected properties and overrides detect a change of a registry.
struct RegistryStampTests {
  @Test func eachChangeGivesANewStamp() async throws {
    let parent = Container()
    let child = Container(parent: parent)
    let first = child.registryStamp
    #expect(child.registryStamp.isUnchanged(since: first))
    try await parent.register(Probe.self) { _ in Probe() }
    let second = child.registryStamp
    #expect(!second.isUnchanged(since: first))
    _ = try await child.resolve(Probe.self)
    #expect(child.registryStamp.isUnchanged(since: second))
    await parent.unregister(Probe.self)
    #expect(!child.registryStamp.isUnchanged(since: second))
    // An emptied registry does not have the stamp of the first empty one.
    #expect(!child.registryStamp.isUnchanged(since: first))
  }

  // Until the change is published, a reader may find either state.
  @Test func aStampTakenDuringAChangeIsNeverUnchanged() {
    let container = Container { Registration(Probe.self) { _ in Probe() } }
    let before = container.registryStamp
    container.registry.withLock { _ in container.registry.beginVersion() }
    let during = container.registryStamp
    #expect(!during.isUnchanged(since: before))
    #expect(!during.isUnchanged(since: during))
    container.registry.withLock { _ in container.registry.endVersion() }
    let after = container.registryStamp
    #expect(!after.isUnchanged(since: before))
    #expect(!after.isUnchanged(since: during))
    #expect(container.registryStamp.isUnchanged(since: after))
  }

  // Regression test. Of two overlapping loads of a property, the one that lost had the new instance, and the other one the old.
  // Until the change had its version, the next read returned the old one again.
  @Test func aPropertyReloadsDuringAChange() throws {
    let counter = Counter()
    let container = Container {
      Registration(Probe.self) { _ in Probe("\(counter.increment())") }
    }
    let injected = Injected<Probe>(from: container)
    injected.autoreload()
    #expect(try injected().name == "1")
    #expect(try injected().name == "1")
    container.registry.withLock { _ in container.registry.beginVersion() }
    #expect(try injected().name == "2")
    #expect(try injected().name == "3")
    container.registry.withLock { _ in container.registry.endVersion() }
    #expect(try injected().name == "4")
    #expect(try injected().name == "4")
  }
}
