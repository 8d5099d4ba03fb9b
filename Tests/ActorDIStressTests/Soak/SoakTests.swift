import ActorDI
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// All operations at once on one container, for `ACTORDI_SOAK_SECONDS` or a moment.
@Suite(.inTurn) struct SoakTests {
  @Test("All operations at once: each instance is disposed of once, and freed")
  func soak() async throws {
    let seconds = unsafe getenv("ACTORDI_SOAK_SECONDS").flatMap { unsafe Double(String(cString: $0)) } ?? 0.3
    let run = StressRun("soak of \(seconds) s", size: 1)
    try await withWatchdog("the soak", seconds: Int(seconds) + 300) {
      let world = SoakWorld()
      let end = Flag()
      let (operations, memory) = (Counter(), MemoryRecord())
      await withTaskGroup(of: Void.self) { group in
        for worker in 0..<6 {
          group.addTask {
            var random = run.random(worker)
            while !end.isRaised {
              await world.act(&random)
              operations.increment()
              await Task.yield()
            }
          }
        }
        group.addTask {
          await Threads.run(2) { thread in
            var random = run.random(100 + thread)
            while !end.isRaised {
              world.actNow(&random)
              operations.increment()
            }
          }
        }
        // No event reports the end of the time.
        let clock = ContinuousClock()
        let start = clock.now
        while clock.now - start < .seconds(seconds) {
          try? await Task.sleep(for: .milliseconds(100))
          memory.add(at: (clock.now - start) / .seconds(seconds))
        }
        end.raise()
      }
      await world.end()
      print(
        """
        soak: \(seconds) s, \(operations.value) operations, \(world.built) builds, \(world.scopes.value) scopes; \
        \(world.accounts.made) to be disposed of, \(world.accounts.undisposed) not, \(world.live) alive; \(memory)
        """)
      // Instances that were not published are disposed of in the background.
      if world.accounts.undisposed != 0 { complain("\(world.accounts.undisposed) instances were not disposed of") }
      if world.live != 0 { complain("\(world.live) instances are alive") }
    }
  }
}

/// Records the memory in use, on systems with `/proc`.
///
/// The test prints it and does not check it. Swift Testing keeps a backtrace for each thrown error until the test ends, and this
/// test throws many. So the process grows although the library does not.
private final class MemoryRecord: Sendable, CustomStringConvertible {
  private let samples = Lock<[(time: Double, kibibytes: Int)]>([])

  func add(at time: Double) {
    guard let value = Self.value(of: "VmRSS") else { return }
    samples.withLock { $0.append((time, value)) }
  }

  /// Returns the mean in one tenth of the time.
  private func mean(from start: Double) -> Int {
    let values = samples.withLock { $0.filter { $0.time >= start && $0.time < start + 0.1 }.map(\.kibibytes) }
    return values.isEmpty ? 0 : values.reduce(0, +) / values.count
  }

  var description: String {
    """
    memory \(mean(from: 0.1)) KiB after a tenth of the time, \(mean(from: 0.9)) KiB in the last tenth, at most \
    \(Self.value(of: "VmHWM") ?? 0) KiB
    """
  }

  private static func value(of name: String) -> Int? {
    guard let file = unsafe fopen("/proc/self/status", "r") else { return nil }
    defer { unsafe fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while unsafe fgets(&line, 256, file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if text.hasPrefix(name + ":") { return Int(text.filter(\.isNumber)) }
    }
    return nil
  }
}
