import ActorDI
import Testing

/// Streams of changes and observers, under concurrent registration.
@Suite(.inTurn) struct ChangesStressTests {
  @Test("Each stream has every change since it began, in order, whoever comes and goes")
  func order() async throws {
    let run = StressRun("streams of changes", size: 600)
    try await withWatchdog("streams of changes") {
      let observer = Order()
      let container = Container(configuration: .init(capacity: run.size, observer: observer))
      let whole = container.changes
      // Subscribers that take a few, and go.
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
                complain("unexpected: \(error)")
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
          complain("a torn batch")
        }
        seen.append(change.added[0].number)
        if seen.count == 4 * run.size { break }
      }
      #expect(seen == container.registrations.filter { $0.service == Setting.self }.map(\.number))
      #expect(seen.flatMap { [$0, $0] } == observer.numbers)
    }
  }

  @Test("Containers go while others wait for their changes")
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
        if counts != [1, 1, 1] { complain("changes seen: \(counts)") }
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

/// The registrations in the order in which an observer was told of them.
private final class Order: ContainerObserver {
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

  /// What a stream has delivered must be a part of it without gaps.
  func expectRun(_ seen: [Int]) {
    let (places, numbers) = state.withLock { ($0.places, $0.numbers) }
    guard let first = seen.first, let place = places[first] else { return }
    let expected = numbers[(place - 1)...].prefix(seen.count)
    if Array(expected) != seen { complain("not in order: \(seen), but \(Array(expected))") }
  }
}
