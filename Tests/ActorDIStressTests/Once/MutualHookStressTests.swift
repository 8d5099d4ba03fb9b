import ActorDI
import Testing

/// Two services whose hooks resolve each other, resolved from both ends at once.
@Suite(.inTurn) struct MutualHookStressTests {
  @Test("Asynchronous hooks resolve each other's instance across tasks")
  func asynchronousHooks() async throws {
    let run = StressRun("mutual hooks across tasks", size: 300)
    try await withWatchdog("mutual hooks across tasks") {
      for _ in 0..<run.size {
        let container = Container {
          Registration(Left.self, scope: .singleton) { _ in
            await Task.yield()
            return Left()
          }
          .onCreated { left, r in left.other.set(try await r.resolve(Right.self)) }
          Registration(Right.self, scope: .singleton) { _ in
            await Task.yield()
            return Right()
          }
          .onCreated { right, r in right.other.set(try await r.resolve(Left.self)) }
        }
        async let left = container.resolve(Left.self)
        async let right = container.resolve(Right.self)
        expectPair(try await left, try await right)
        expectPair(try container.resolveNow(), try container.resolveNow())
      }
    }
  }

  @Test("Synchronous hooks resolve each other's instance across threads")
  func synchronousHooks() async throws {
    let run = StressRun("mutual hooks across threads", size: 300)
    try await withWatchdog("mutual hooks across threads") {
      for _ in 0..<run.size {
        let container = Container {
          Registration(Left.self, scope: .singleton) { _ in Left() }
            .onCreated { left, r in left.other.set(try r.resolve(Right.self)) }
          Registration(Right.self, scope: .singleton) { _ in Right() }
            .onCreated { right, r in right.other.set(try r.resolve(Left.self)) }
        }
        let lefts = Sightings()
        let rights = Sightings()
        await Threads.run(4) { index in
          do {
            if index.isMultiple(of: 2) {
              lefts.add(try container.resolve(Left.self))
            } else {
              rights.add(try container.resolve(Right.self))
            }
          } catch {
            complain("unexpected error: \(error)")
          }
        }
        #expect(lefts.count == 1)
        #expect(rights.count == 1)
        expectPair(try container.resolveNow(), try container.resolveNow())
      }
    }
  }

  @Test("Many tasks resolve one instance of each service of a ring of hooks")
  func ringOfHooks() async throws {
    let run = StressRun("ring of hooks", size: 100)
    try await withWatchdog("a ring of hooks") {
      for _ in 0..<run.size {
        let container = Container {
          for key in 0..<3 {
            Registration(Left.self, scope: .singleton) { _ in
              await Task.yield()
              return Left()
            }
            .onCreated { left, r in
              left.other.set(try await r.resolve(Left.self, key: (key + 1) % 3))
            }
            .key(key)
          }
        }
        let seen = Sightings()
        try await withThrowingTaskGroup(of: Void.self) { group in
          for caller in 0..<12 {
            group.addTask { seen.add(try await container.resolve(Left.self, key: caller % 3)) }
          }
          try await group.waitForAll()
        }
        #expect(seen.count == 3)
        for key in 0..<3 {
          let one = try container.resolveNow(Left.self, key: key)
          let next = try container.resolveNow(Left.self, key: (key + 1) % 3)
          #expect(one.other.id == ObjectIdentifier(next))
        }
      }
    }
  }

  private func expectPair(_ left: Left, _ right: Right) {
    #expect(left.other.id == ObjectIdentifier(right))
    #expect(right.other.id == ObjectIdentifier(left))
  }
}

private final class Left: Sendable {
  let other = Reference()
}

private final class Right: Sendable {
  let other = Reference()
}

/// The identity of an object, without a reference to it.
private final class Reference: Sendable {
  private let object = Lock<ObjectIdentifier?>(nil)

  var id: ObjectIdentifier? { object.withLock { $0 } }
  func set(_ other: AnyObject) {
    let id = ObjectIdentifier(other)
    object.withLock { $0 = id }
  }
}
