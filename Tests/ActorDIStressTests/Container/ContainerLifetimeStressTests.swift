import ActorDI
import Testing

/// Containers that are freed while others use their services.
@Suite(.inTurn) struct ContainerLifetimeStressTests {
  @Test("A resolve that holds the last reference to its container returns a live instance")
  func lastResolve() async throws {
    let run = StressRun("last resolves", size: 400)
    let census = Census()
    try await withWatchdog("last resolves") {
      let threads = 3
      let line = StartLine(threads)
      let shelves = (0..<threads).map { _ in Shelf() }
      for _ in 0..<run.size {
        let container = Container {
          Registration(Probe.self, scope: .singleton) { _ in Probe(census) }
        }
        _ = try container.resolveNow(Probe.self)
        for shelf in shelves { shelf.put(container) }
      }
      await Threads.run(threads) { thread in
        while let container = shelves[thread].take() {
          line.wait()
          resolve(container)
        }
      }
    }
    try await expectAllReleased(census)
    #expect(census.made == run.size)
  }

  @Test("Threads free children whose instances make containers in their deinit")
  func children() async throws {
    let run = StressRun("children freed on threads", size: 300)
    let census = Census()
    try await withWatchdog("children freed on threads") {
      let parent = Container()
      await Threads.run(4) { _ in
        for _ in 0..<run.size {
          let child = Container(parent: parent) {
            Registration(MakesChildInDeinit.self, scope: .singleton) { _ in MakesChildInDeinit(parent, census) }
          }
          do {
            _ = try child.resolve(MakesChildInDeinit.self)
          } catch {
            complain("unexpected error: \(error)")
          }
        }
      }
      await parent.reset()
    }
    try await expectAllReleased(census)
    #expect(census.made == 4 * run.size)
  }

  @Test("A parent that resets children during their release keeps none of them")
  func resetChildren() async throws {
    let run = StressRun("children reset", size: 400)
    let census = Census()
    try await withWatchdog("children that are reset") {
      let parent = Container()
      var readers = Readers()
      readers.tasks(2) {
        return {
          let child = Container(parent: parent) {
            Registration(Probe.self, scope: .singleton) { _ in
              await Task.yield()
              return Probe(census)
            }
          }
          guard let probe = try? await child.resolve(Probe.self) else {
            return complain("the resolve returned no instance")
          }
          if !probe.isAlive { complain("the resolve returned a freed instance") }
        }
      }
      try await readers.run { pace in
        for _ in 0..<run.size {
          await parent.reset()
          await pace()
        }
      }
    }
    try await expectAllReleased(census)
  }

  private func resolve(_ container: consuming Container) {
    do {
      let probe = try container.resolve(Probe.self)
      if !probe.isAlive { complain("the resolve returned a freed instance") }
    } catch {
      complain("unexpected error: \(error)")
    }
  }
}

/// A stack that holds the last reference to each container.
private final class Shelf: Sendable {
  private let containers = Lock<[Container]>([])

  func put(_ container: Container) { containers.withLock { $0.append(container) } }
  func take() -> Container? { containers.withLock { $0.popLast() } }
}

/// An object whose `deinit` makes a child of its container's parent.
private final class MakesChildInDeinit: Sendable {
  private let parent: Container
  private let probe: Probe

  init(_ parent: Container, _ census: Census) {
    self.parent = parent
    probe = Probe(census)
  }

  deinit {
    let child = Container(parent: parent)
    if child.contains(Probe.self) { complain("an empty container contains a service") }
  }
}
