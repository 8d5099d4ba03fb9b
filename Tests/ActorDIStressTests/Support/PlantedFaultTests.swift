import ActorDI
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Faults that the sanitizers must find. Neither the library's annotations for ThreadSanitizer nor the tests' gates may hide a
/// user's races. The tests run under a sanitizer if `ACTORDI_PLANTED_FAULTS` is set. Without a report, clean runs of other
/// tests prove nothing.
@Suite(.inTurn, .enabled(if: unsafe getenv("ACTORDI_PLANTED_FAULTS") != nil))
struct PlantedFaultTests {
  private static let iterations = 100_000

  @Test("Two threads race on a field of a singleton")
  func threads() async throws {
    let container = Container { Registration(Ledger.self, scope: .singleton) { _ in Ledger() } }
    await Threads.run(2) { _ in
      for iteration in 0..<Self.iterations {
        guard let ledger = try? container.resolve(Ledger.self) else { return }
        ledger.byThreads += 1
        if iteration.isMultiple(of: 64) { Threads.yield() }
      }
    }
    let ledger = try container.resolveNow(Ledger.self)
    #expect(ledger.byThreads > 0)
  }

  @Test("Two tasks race on a field of an asynchronous singleton")
  func tasks() async throws {
    let container = Container {
      Registration(Ledger.self, scope: .singleton) { _ in
        await Task.yield()
        return Ledger()
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          for iteration in 0..<Self.iterations {
            let ledger = try await container.resolve(Ledger.self)
            ledger.byTasks += 1
            if iteration.isMultiple(of: 64) { await Task.yield() }
          }
        }
      }
      try await group.waitForAll()
    }
    let ledger = try container.resolveNow(Ledger.self)
    #expect(ledger.byTasks > 0)
  }

  @Test("Two threads race on a field outside the library's lock")
  func besideLock() async {
    let lock = Lock(0)
    let ledger = Ledger()
    await Threads.run(2) { _ in
      for iteration in 0..<Self.iterations {
        // The threads lock rarely, so that the lock orders most of the writes by chance.
        if iteration.isMultiple(of: 16) { lock.withLock { $0 += 1 } }
        ledger.besideLock += 1
        if iteration.isMultiple(of: 64) { Threads.yield() }
      }
    }
    #expect(lock.withLock { $0 } == 2 * Self.iterations / 16)
    #expect(ledger.besideLock > 0)
  }

  @Test("A retained instance leaks")
  func leak() throws {
    let container = Container { Registration(Ledger.self, scope: .singleton) { _ in Ledger() } }
    let ledger = unsafe Unmanaged.passRetained(try container.resolveNow(Ledger.self))
    #expect(unsafe ledger.takeUnretainedValue().byThreads == 0)
  }
}

/// A class that is wrongly `@unchecked Sendable`: nothing guards its fields.
private final class Ledger: @unchecked Sendable {
  var byThreads = 0
  var byTasks = 0
  var besideLock = 0
}
