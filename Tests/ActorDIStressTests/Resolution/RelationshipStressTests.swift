import ActorDI
import Testing

/// `[T]` and `T?` while registrations change.
@Suite(.inTurn) struct RelationshipStressTests {
  @Test("An array is always complete while its elements are replaced")
  func collections() async throws {
    let run = StressRun("collections", size: 1500)
    try await withWatchdog("collections under re-registrations") {
      let container = Container { collection(0) }
      var readers = Readers()
      readers.threads(1) {
        return { expectWhole { try container.resolve([First].self).map(\.generation) } }
      }
      readers.threads(1) {
        return { expectWhole { try container.resolve([Plain].self).map(\.generation) } }
      }
      readers.tasks(1) {
        return {
          await expectWhole { try await container.resolve([First].self).map(\.generation) }
        }
      }
      readers.tasks(1) {
        return {
          await expectWhole { try await container.resolve([Plain].self).map(\.generation) }
        }
      }
      try await readers.run { pace in
        for generation in 1...run.size {
          try await container.register { collection(generation) }
          if generation.isMultiple(of: 4) { await pace() }
        }
      }
    }
  }

  @Test("An optional is a service or nil while its registration changes, and never throws")
  func optionals() async throws {
    let run = StressRun("optionals", size: 3000)
    try await withWatchdog("optionals under changes") {
      let container = Container()
      var readers = Readers()
      readers.threads(1) {
        return {
          do {
            _ = try container.resolve(First?.self)
          } catch {
            complain("unexpected error: \(error)")
          }
        }
      }
      readers.tasks(2) {
        return {
          do {
            _ = try await container.resolve(First?.self)
          } catch {
            complain("unexpected error: \(error)")
          }
        }
      }
      try await readers.run { pace in
        for generation in 1...run.size {
          try await container.register(First.self, scope: .singleton) { _ in
            First(generation: generation)
          }
          if generation.isMultiple(of: 8) { await pace() }
          #expect(await container.unregister(First.self))
        }
      }
      let absent = try await container.resolve(First?.self)
      #expect(absent == nil)
    }
  }

  /// A search visits one container after the other, so a registration may leave a container that the search has not reached, and arrive
  /// in one that it has left. Here at most one registration moves during each read.
  @Test("A registration that moves between containers is found all the time", arguments: [true, false])
  func moves(byLink: Bool) async throws {
    let run = StressRun("moves", size: 10_000)
    try await withWatchdog("registrations that move") {
      let far = Container { Registration(First.self) { _ in First(generation: 0) } }
      let near = byLink ? Container() : far.makeChild()
      let link = byLink ? near.link(far) : nil
      try await near.register(Registration(Optionally.self) { r in Optionally(first: try r.resolve()) })
      var readers = Readers()
      readers.threads(1) {
        return {
          do {
            if try near.resolve(Optionally.self).first == nil { complain("a factory gets nil") }
            if try near.resolve(First?.self) == nil { complain("a resolve returns nil") }
            _ = try near.resolve(First.self)
          } catch {
            complain("unexpected error: \(error)")
          }
        }
      }
      try await readers.run { pace in
        for generation in 1...run.size {
          let (from, to) = generation.isMultiple(of: 2) ? (near, far) : (far, near)
          try await to.register(Registration(First.self) { _ in First(generation: generation) })
          #expect(await from.unregister(First.self))
          await pace()
        }
      }
      extendLifetime(link)
    }
  }

  private func collection(_ generation: Int) -> Registrations {
    Registrations {
      for key in 0..<4 {
        Registration(First.self, scope: .singleton) { _ in First(generation: generation) }.key(key)
        Registration(Plain.self) { _ in Plain(generation: generation) }.key(key)
      }
    }
  }

  private func expectWhole(_ read: () throws -> [Int]) {
    do {
      expectWhole(try read())
    } catch {
      complain("unexpected error: \(error)")
    }
  }

  private func expectWhole(_ read: () async throws -> [Int]) async {
    do {
      expectWhole(try await read())
    } catch {
      complain("unexpected error: \(error)")
    }
  }

  private func expectWhole(_ generations: [Int]) {
    if generations.count != 4 || Set(generations).count != 1 {
      complain("the array has elements of several batches: \(generations)")
    }
  }
}

private final class First: Sendable {
  let generation: Int
  init(generation: Int) { self.generation = generation }
}

private struct Plain: Sendable {
  let generation: Int
}

private struct Optionally: Sendable {
  let first: First?
}
