import ActorDI
import Synchronization

/// P11 and P22: a container with many other registrations. It resolves an existing singleton, or a child of it is made and dropped.
struct Among: Scenario {
  static let name = "among-others"
  static let summary = "existing singleton, and a child made and dropped, with n other registrations, sync"

  static let child = "container, child made and dropped"
  static let usedChild = "container, child made, one resolve, dropped"

  /// The smallest count is the reference for the others.
  static let counts = [10] + ManyServices.counts

  let lanes = Lanes.registrations(Among.counts)

  func contenders() throws -> [Contender] {
    let containers = Sized { count in
      let container = Container {
        Registration((any Greeter).self, scope: .singleton) { _ in PoliteGreeter() }
        // Half of them by type, but at most 1,000: no program has a hundred thousand types.
        let types = min(count / 2, 1_000)
        ManyServices.registrations(types, .type)
        ManyServices.registrations(count - types, .key)
      }
      guard container.registrationCount == count + 1 else {
        throw BenchmarkError.wrongAnswer(
          scenario: Self.name, contender: ContenderName.container, answer: container.registrationCount,
          expected: count + 1)
      }
      _ = try container.resolve((any Greeter).self)
      return container
    }
    let registries = Sized { count in
      let registry = LockedRegistry()
      registry.register((any Greeter).self) { PoliteGreeter() }
      for number in 0..<count { registry.register(Bystander.self, key: number) { Bystander() } }
      return registry
    }
    return [
      Contender(
        name: ContenderName.staticLet, role: .floor,
        answer: { Floors.greeter().answer(Answers.question) },
        work: .onOneThread { _ in
          { count in repeating(count) { consume(Floors.greeter()) } }
        }),
      Contender(
        name: ContenderName.mutex, role: .baseline,
        answer: { try registries[10].resolve((any Greeter).self).answer(Answers.question) },
        work: .onOneThread { lane in
          let registry = try registries[lane]
          return { count in repeating(count) { consume(registry.resolve((any Greeter).self)) } }
        }),
      Contender(
        name: ContenderName.container, role: .container,
        answer: {
          try await containers[10].resolve((any Greeter).self).answer(Answers.question)
        },
        work: .onOneThread { lane in
          let container = try containers[lane]
          return { count in try repeating(count) { consume(try container.resolve((any Greeter).self)) } }
        }),
      Contender(
        name: Self.child, role: .container,
        answer: {
          try containers[10].makeChild().resolve((any Greeter).self).answer(Answers.question)
        },
        work: .onOneThread { lane in
          let container = try containers[lane]
          return { count in repeating(count) { _ = container.makeChild() } }
        }),
      Contender(
        name: Self.usedChild, role: .container,
        answer: {
          try containers[10].makeChild().resolve((any Greeter).self).answer(Answers.question)
        },
        work: .onOneThread { lane in
          let container = try containers[lane]
          return { count in
            try repeating(count) { consume(try container.makeChild().resolve((any Greeter).self)) }
          }
        }),
    ]
  }
}

/// A value for each number, created on first use.
final class Sized<Value: Sendable>: Sendable {
  private let values = Mutex<[Int: Value]>([:])
  private let make: @Sendable (Int) throws -> Value

  init(_ make: @escaping @Sendable (Int) throws -> Value) {
    self.make = make
  }

  subscript(count: Int) -> Value {
    get throws {
      if let known = values.withLock({ $0[count] }) { return known }
      let value = try make(count)
      values.withLock { $0[count] = value }
      return value
    }
  }
}
