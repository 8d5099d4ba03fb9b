import Synchronization
import Testing

@testable import ActorDI

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A read never runs the `deinit` of an instance that another thread released. Reading threads have a mark, which the `deinit` checks.
@Suite(.inTurn) struct ForeignCodeStressTests {
  @Test("A reading thread runs no deinit of an instance that others drop")
  func readers() async throws {
    let run = StressRun("instances dropped beside readers", size: 150)
    let watch = ReadingThreads()
    try await withWatchdog("instances dropped beside readers") { try await Self.read(beside: watch, run) {} }
    #expect(watch.caught == 0)
    #expect(watch.ended > run.size, "The writer has dropped instances")
  }

  @Test("The test detects a reader that reclaims")
  func plantedFault() async throws {
    let run = StressRun("a reader that reclaims", size: 50)
    let watch = ReadingThreads()
    watch.reading { _ = Session(watch) }
    #expect(watch.caught == 1)
    try await withWatchdog("a reader that reclaims") {
      // A short run may have no such reader, so it is repeated until the watchdog ends the test.
      while watch.caught == 1 { try await Self.read(beside: watch, run) { Reclaimer.shared.collect() } }
    }
    #expect(watch.caught > 1)
  }

  /// - Parameter reclaim: A closure that each reading thread calls after its reads.
  private static func read(
    beside watch: ReadingThreads, _ run: StressRun, reclaim: @escaping @Sendable () -> Void
  ) async throws {
    let period = ManagedScope("period")
    let app = Container(name: "app") {
      Registration(Steady.self, scope: .singleton) { _ in Steady() }
      Registration(Steady.self) { _ in Steady() }.key(1)
      Registration(Session.self, scope: .singleton) { _ in Session(watch) }
      Registration(Session.self, scope: .scoped) { _ in Session(watch) }.key("scoped")
      Registration(Session.self, scope: .managed(by: period)) { _ in Session(watch) }.key("managed")
      Registration(Session.self, scope: .shared) { _ in Session(watch) }.key("shared")
    }
    let child = app.makeChild(name: "child")
    var readers = Readers()
    readers.threads(2) {
      {
        watch.reading {
          expectNoError {
            _ = try app.resolve(Steady.self)
            _ = try child.resolve(Steady.self)
            _ = try child.resolve(Steady.self, key: 1)
            try app.withResolved(Steady.self) { _ in }
          }
          reclaim()
        }
      }
    }
    readers.tasks(1) {
      {
        watch.reading {
          _ = app.resolveIfReady(Steady.self)
          expectNoError { _ = try child.resolve(Steady.self) }
        }
      }
    }
    try await readers.run { pace in
      for round in 0..<run.size {
        _ = try await app.resolve(Session.self)
        await app.reset(Session.self)
        _ = try app.resolveNow(Session.self)
        try await app.register(Session.self, scope: .singleton) { _ in Session(watch) }
        _ = try await child.resolve(Session.self, key: "scoped")
        await child.reset()
        try await app.withScope { scope in
          _ = try await (scope.resolve(Session.self, key: "scoped"), scope.resolve(Session.self, key: "shared"))
        }
        _ = try await app.resolve(Session.self, key: "managed")
        await period.invalidate()
        if round.isMultiple(of: 8) { await pace() }
      }
    }
    try await app.shutdown()
  }
}

private final class Steady: Sendable {}

/// An object whose `deinit` checks whether its thread is reading.
private final class Session: Sendable {
  private let watch: ReadingThreads
  init(_ watch: ReadingThreads) { self.watch = watch }
  deinit { watch.noteEnd() }
}

/// Marks reading threads, and counts the instances freed on them.
private final class ReadingThreads: Sendable {
  private let key: pthread_key_t
  private let counts = Lock((caught: 0, ended: 0))

  init() {
    var key = pthread_key_t()
    unsafe pthread_key_create(&key, nil)
    self.key = key
  }

  deinit { pthread_key_delete(key) }

  func reading(_ body: () -> Void) {
    unsafe pthread_setspecific(key, Unmanaged.passUnretained(self).toOpaque())
    body()
    pthread_setspecific(key, nil)
  }

  func noteEnd() {
    let isReading = unsafe pthread_getspecific(key) != nil
    counts.withLock { counts in
      counts.ended += 1
      if isReading { counts.caught += 1 }
    }
  }

  var caught: Int { counts.withLock { $0.caught } }
  var ended: Int { counts.withLock { $0.ended } }
}
