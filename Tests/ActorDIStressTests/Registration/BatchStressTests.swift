import ActorDI
import Testing

/// Atomic batches.
@Suite(.inTurn) struct BatchStressTests {
  @Test("A reader that resolves two parts of a batch gets no older second part")
  func wholeBatches() async throws {
    let run = StressRun("batches", size: 3000)
    try await withWatchdog("batches under readers") {
      let container = Container { batch(0) }
      var readers = Readers()
      readers.threads(1) {
        return {
          expectOrder {
            let first = try container.resolve(First.self).generation
            return (first, try container.resolve(Second.self).generation)
          }
        }
      }
      readers.threads(1) {
        return {
          expectOrder {
            let second = try container.resolve(Second.self).generation
            return (second, try container.resolve(First.self).generation)
          }
        }
      }
      readers.tasks(1) {
        return {
          await expectOrder {
            let plain = try await container.resolve(Plain.self).generation
            return (plain, try await container.resolve(First.self).generation)
          }
        }
      }
      try await readers.run { pace in
        for generation in 1...run.size {
          try await container.register { batch(generation) }
          if generation.isMultiple(of: 8) { await pace() }
        }
      }
      #expect(container.registrationCount == 3)
    }
  }

  @Test("A batch with a duplicate changes nothing that readers can see")
  func duplicates() async throws {
    let run = StressRun("failing batches", size: 400)
    try await withWatchdog("failing batches under readers") {
      let container = Container(configuration: .init(duplicates: .error)) { batch(0) }
      let kept = try container.resolveNow(First.self)
      let refused = Counter()
      var readers = Readers()
      readers.threads(2) {
        return {
          if container.contains(Refused.self) { complain("a part of a refused batch is visible") }
          if (try? container.resolve(First.self)) !== kept { complain("the resolve returned another instance") }
          if container.registrationCount != 3 { complain("the container has a registration of a refused batch") }
        }
      }
      try await readers.run { _ in
        await withTaskGroup(of: Void.self) { writers in
          for writer in 0..<4 {
            writers.addTask {
              for _ in 0..<run.size { await expectRefusal(by: container, refused, writer) }
            }
          }
        }
      }
      #expect(refused.value == 4 * run.size)
      #expect(container.registrations.map { "\($0.service)" } == ["First", "Second", "Plain"])
      try await container.register { Refused() }
      #expect(container.contains(Refused.self))
    }
  }

  private func batch(_ generation: Int) -> Registrations {
    Registrations {
      Registration(First.self, scope: .singleton) { _ in First(generation: generation) }
      Registration(Second.self, scope: .singleton) { _ in Second(generation: generation) }
      Registration(Plain.self, scope: .transient) { _ in Plain(generation: generation) }
    }
  }

  private func expectRefusal(by container: Container, _ refused: Counter, _ writer: Int) async {
    do {
      if writer.isMultiple(of: 2) {
        // A new registration, then one that exists already.
        try await container.register {
          Refused()
          batch(1)
        }
      } else {
        // The same new registration twice.
        try await container.register {
          Refused()
          Refused()
        }
      }
      complain("the container accepted a duplicate")
    } catch let error as ResolutionError where error.code == .duplicate {
      refused.increment()
    } catch {
      complain("unexpected error: \(error)")
    }
  }

  private func expectOrder(_ read: () throws -> (Int, Int)) {
    do {
      let (earlier, later) = try read()
      if later < earlier { complain("a part of batch \(later) after batch \(earlier)") }
    } catch {
      complain("unexpected error: \(error)")
    }
  }

  private func expectOrder(_ read: () async throws -> (Int, Int)) async {
    do {
      let (earlier, later) = try await read()
      if later < earlier { complain("a part of batch \(later) after batch \(earlier)") }
    } catch {
      complain("unexpected error: \(error)")
    }
  }
}

private final class First: Sendable {
  let generation: Int
  init(generation: Int) { self.generation = generation }
}

private final class Second: Sendable {
  let generation: Int
  init(generation: Int) { self.generation = generation }
}

private struct Plain: Sendable {
  let generation: Int
}

private final class Refused: Sendable {}
