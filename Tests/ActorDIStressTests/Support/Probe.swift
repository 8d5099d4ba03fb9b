import ActorDI
import Synchronization
import Testing

/// Counts the instances of ``Probe`` that are alive.
final class Census: Sendable {
  private struct State: Sendable {
    var live = 0
    var made = 0
    var most = 0
    var waiting: [(count: Int, gate: Gate)] = []
  }

  private let state = Lock(State())

  var live: Int { state.withLock { $0.live } }
  var made: Int { state.withLock { $0.made } }
  /// The largest number of instances alive at the same time.
  var most: Int { state.withLock { $0.most } }

  func count(_ change: Int) {
    let reached = state.withLock { state in
      state.live += change
      state.made += max(0, change)
      state.most = max(state.most, state.live)
      let live = state.live
      defer { state.waiting.removeAll { live <= $0.count } }
      return state.waiting.filter { live <= $0.count }.map(\.gate)
    }
    for gate in reached { gate.open() }
  }

  /// Suspends until at most `count` instances are alive.
  func wait(until count: Int) async {
    let gate = Gate()
    let isReached = state.withLock { state in
      if state.live > count { state.waiting.append((count, gate)) }
      return state.live <= count
    }
    if !isReached { await gate.wait() }
  }

  /// Suspends until replaced instances are released, except for the few that readers hold.
  ///
  /// A writer calls it now and then. Without it, the number of replaced instances that wait for release depends on the speed of the
  /// machine: a fast writer replaces thousands while the system has stopped a reader, or before the next collection.
  func settle() async { await wait(until: 32) }
}

/// A service with the number of its registration, and a mark that tells whether it is alive.
final class Probe: Sendable {
  let generation: Int
  private let census: Census
  private let mark = Atomic<UInt>(Probe.alive)

  private static var alive: UInt { 0xA11F_E0A1_1FE0 }
  private static var dead: UInt { 0xDEAD_DEAD_DEAD }

  init(_ census: Census, generation: Int = 0) {
    self.census = census
    self.generation = generation
    census.count(1)
  }

  deinit {
    mark.store(Probe.dead, ordering: .sequentiallyConsistent)
    census.count(-1)
  }

  var isAlive: Bool { mark.load(ordering: .sequentiallyConsistent) == Probe.alive }
}

/// A set of objects. It holds them, so that no two have the same identity.
final class Sightings: Sendable {
  private let seen = Lock<[ObjectIdentifier: any AnyObject & Sendable]>([:])

  func add(_ object: any AnyObject & Sendable) {
    seen.withLock { $0[ObjectIdentifier(object)] = object }
  }

  var count: Int { seen.withLock { $0.count } }
}

/// Suspends until no instance is alive. The caller has released the containers.
func expectAllReleased(
  _ census: Census, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  try await withWatchdog("the release of all instances", sourceLocation: sourceLocation) {
    await census.wait(until: 0)
  }
}
