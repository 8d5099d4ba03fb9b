import ActorDI
import Testing

/// Streams of changes and observers, under concurrent registration.
@Suite(.inTurn) struct ChangesStressTests {
  @Test("Each stream delivers every change since its beginning, in order")
  func order() async throws {
    let run = StressRun("streams of changes", size: 600)
    try await withWatchdog("streams of changes") {
      let observer = OrderRecorder()
      let container = Container(configuration: .init(capacity: run.size, observer: observer))
      let whole = container.changes
      // These subscribers read a few changes, then end their streams.
      let subscribers = (0..<3).map { _ in
        Task {
          while !Task.isCancelled {
            var seen: [Int] = []
            for await change in container.changes {
              seen += change.added.map(\.number)
              if seen.count > 20 { break }
            }
            observer.expectRun(seen)
          }
        }
      }
      await withTaskGroup(of: Void.self) { writers in
        for writer in 0..<4 {
          writers.addTask {
            for number in 0..<run.size {
              do {
                try await container.register { numbered(writer * run.size + number) }
              } catch {
                complain("unexpected error: \(error)")
              }
            }
          }
        }
      }
      for subscriber in subscribers {
        subscriber.cancel()
        await subscriber.value
      }
      var seen: [Int] = []
      for await change in whole {
        if change.added.count != 2 || change.added[0].number != change.added[1].number {
          complain("a change holds a part of a batch")
        }
        seen.append(change.added[0].number)
        if seen.count == 4 * run.size { break }
      }
      #expect(seen == container.registrations.filter { $0.service == Setting.self }.map(\.number))
      #expect(seen.flatMap { [$0, $0] } == observer.numbers)
    }
  }

  @Test("Freeing a container ends its streams after the last change")
  func ends() async throws {
    let run = StressRun("streams that end", size: 500)
    try await withWatchdog("streams that end") {
      for round in 0..<run.size {
        let streams: [AsyncStream<RegistryChange>]
        do {
          let container = Container()
          streams = (0..<3).map { _ in container.changes }
          try await container.register { numbered(round) }
        }
        let counts = await withTaskGroup(of: Int.self) { group in
          for stream in streams {
            group.addTask { await stream.reduce(0) { count, _ in count + 1 } }
          }
          return await group.reduce(into: []) { $0.append($1) }
        }
        if counts != [1, 1, 1] { complain("the streams delivered \(counts) changes") }
      }
    }
  }

  private func numbered(_ number: Int) -> Registrations {
    Registrations {
      Registration(Setting.self) { _ in Setting() }.key(number)
      Registration(Other.self) { _ in Other() }.key(number)
    }
  }
}

private struct Setting: Sendable {}
private struct Other: Sendable {}

extension RegistrationInfo {
  fileprivate var number: Int { key as? Int ?? .min }
}

/// Records the registrations in the order in which the container notifies the observer.
private final class OrderRecorder: ContainerObserver {
  private struct State: Sendable {
    var numbers: [Int] = []
    var places: [Int: Int] = [:]
  }

  private let state = Lock(State())

  var numbers: [Int] { state.withLock { $0.numbers } }

  func container(_ container: Container, didRegister registration: RegistrationInfo) {
    let number = registration.number
    state.withLock { state in
      state.places[number] = state.numbers.count
      state.numbers.append(number)
    }
  }

  /// Checks that a stream has delivered a part of the order without gaps.
  func expectRun(_ seen: [Int]) {
    let (places, numbers) = state.withLock { ($0.places, $0.numbers) }
    guard let first = seen.first, let place = places[first] else { return }
    let expected = numbers[(place - 1)...].prefix(seen.count)
    if Array(expected) != seen { complain("the stream delivered \(seen) instead of \(Array(expected))") }
  }
}
