import ActorDITestSupport
import Testing

@testable import ActorDI

@Suite("Weak list")
struct WeakListTests {
  @Test func aListReturnsLivingObjectsInOrder() {
    let list = WeakList<Probe>()
    let probes = (0..<50).map { Probe("\($0)") }
    for probe in probes { list.add(probe) }
    #expect(list.all.map(\.name) == probes.map(\.name))
  }

  @Test func aListForgetsFreedObjects() {
    let list = WeakList<Probe>()
    let kept = Probe("kept")
    list.add(kept)
    for _ in 0..<3 { list.add(Probe("gone")) }
    #expect(list.all.map(\.name) == ["kept"])
    withExtendedLifetime(kept) {}
  }

  @Test func aListReusesTheSpaceOfFreedObjects() {
    let list = WeakList<Probe>()
    let kept = (0..<100).map { Probe("\($0)") }
    for probe in kept { list.add(probe) }
    for _ in 0..<10_000 { list.add(Probe("gone")) }
    #expect(list.entryCount <= 256)
    #expect(list.all.count == 100)
    withExtendedLifetime(kept) {}
  }
}
