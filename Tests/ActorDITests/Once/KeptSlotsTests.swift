import Synchronization
import Testing

@testable import ActorDI

private final class Kept: Sendable {}

/// A container's table of kept slots: its growth, and the removal of slots.
@Suite("Kept slots")
struct KeptSlotsTests {
  private func register(_ number: Int, in container: Container) async throws {
    try await container.register(Registration(Kept.self, scope: .scoped) { _ in Kept() }.key(number))
  }

  private func binding(_ number: Int, in container: Container) throws -> Binding {
    try #require(container.ownBinding(of: ServiceIdentity(Kept.self, key: TypedKey(number))))
  }

  @Test("Each registration has a slot of its own", arguments: [1, 6, 7, 12, 13, 100, 1000])
  func growth(count: Int) async throws {
    let app = Container()
    for number in 0..<count { try await register(number, in: app) }
    let child = app.makeChild()
    var slots: [KeptSlot] = []
    for number in 0..<count {
      let binding = try binding(number, in: app)
      #expect(child.foundSlot(of: binding) == nil)
      #expect(child.existingSlot(of: binding) == nil)
      slots.append(child.slot(of: binding))
    }
    #expect(Set(slots.map(ObjectIdentifier.init)).count == count)
    for (number, slot) in slots.enumerated() {
      let binding = try binding(number, in: app)
      #expect(slot.number == binding.keptNumber)
      #expect(child.foundSlot(of: binding) === slot, "The table finds slot \(number) after it has grown")
      #expect(child.existingSlot(of: binding) === slot)
      #expect(child.slot(of: binding) === slot, "Each registration has one slot")
    }
    #expect(Set(child.keptSlots.map(ObjectIdentifier.init)) == Set(slots.map(ObjectIdentifier.init)))
    #expect(app.keptSlots.isEmpty)
  }

  @Test("A growing table drops the slots of removed registrations only")
  func removal() async throws {
    let app = Container()
    let stayCount = 20
    for number in 1...stayCount { try await register(number, in: app) }
    let instances = try (1...stayCount).map { try app.resolveSynchronously(Kept.self, key: $0) }
    weak var last: Kept?
    for _ in 0..<500 {
      try await register(0, in: app)
      last = try app.resolveSynchronously(Kept.self, key: 0)
    }
    // A table of 64 entries is full at 48 slots. If more than half of them belong to removed registrations, its replacement
    // omits these.
    #expect(app.keptSlots.count <= 48)
    #expect(app.keptSlots.count { !$0.isRetiredSlot } == stayCount + 1)
    for (index, instance) in instances.enumerated() {
      #expect(try app.resolveSynchronously(Kept.self, key: index + 1) === instance)
    }
    #expect(try app.resolveSynchronously(Kept.self, key: 0) === last)
  }

  @Test("A table with one remaining registration does not grow")
  func reuse() async throws {
    let app = Container()
    for _ in 0..<200 {
      try await register(0, in: app)
      _ = try app.resolveSynchronously(Kept.self, key: 0)
    }
    #expect(app.keptSlots.count <= 6)
  }

  @Test("A retired slot keeps nothing")
  func retirement() async throws {
    let app = Container()
    try await register(0, in: app)
    let binding = try binding(0, in: app)
    _ = try app.resolveSynchronously(Kept.self, key: 0)
    let slot = try #require(app.existingSlot(of: binding))
    #expect(slot.shown != 0)
    await app.unregister(Kept.self, key: 0)
    #expect(slot.isRetiredSlot)
    #expect(slot.shown == 0)
    #expect(!slot.beginUncontended(), "The retired cell refuses the build")
  }

  @Test("The end of a scope frees its slots and instances")
  func scopeEnd() async throws {
    let app = Container()
    for number in 0..<30 { try await register(number, in: app) }
    weak var kept: Kept?
    weak var slot: KeptSlot?
    try await app.withScope { scope in
      for number in 0..<30 { kept = try await scope.resolve(Kept.self, key: number) }
      slot = scope.keptSlots.first
      #expect(kept != nil && slot != nil)
      #expect(scope.keptSlots.count == 30)
    }
    #expect(kept == nil)
    #expect(slot == nil)
  }
}

extension KeptSlot {
  fileprivate var isRetiredSlot: Bool { isRetired.load(ordering: .acquiring) }
}

extension Container {
  fileprivate nonisolated var keptSlots: [KeptSlot] { kept.all }

  fileprivate nonisolated func slot(of binding: Binding) -> KeptSlot { kept.slot(for: binding, in: lifecycle) }

  /// Looks the slot up on the slow path.
  fileprivate nonisolated func existingSlot(of binding: Binding) -> KeptSlot? { kept.existing(binding) }

  /// Looks the slot up as a search on the fast path does.
  fileprivate nonisolated func foundSlot(of binding: Binding) -> KeptSlot? { kept.find(binding.keptNumber)?.object }

  fileprivate nonisolated func resolveSynchronously(_ service: Kept.Type, key: Int) throws -> Kept {
    try resolve(service, key: key)
  }
}
