import ActorDI
import Synchronization

/// P7: readers of a singleton, while another task continuously changes the registry.
///
/// The changing task takes a core from the readers. The reference therefore has the same readers, and a task that only keeps a core
/// busy.
struct Churn: Scenario {
  static let name = "churn"
  static let summary = "existing singleton, sync, while a task registers, overrides and resets other services"
  static let quiet = "container, quiet, other core busy"
  static let churned = "container, under churn"

  func contenders() throws -> [Contender] {
    let container = try Fixtures.warmContainer()
    return [
      Contender(
        name: Self.quiet, role: .floor,
        answer: { try await container.resolve((any Greeter).self).answer(Answers.question) },
        work: .own { load in
          let container = try Fixtures.warmContainer()
          return try await Self.read(container, load) { Self.keepBusy($0) }
        }),
      Contender(
        name: Self.churned, role: .container,
        answer: { try await container.resolve((any Greeter).self).answer(Answers.question) },
        work: .own { load in
          let container = try Fixtures.warmContainer()
          return try await Self.read(container, load) { try await Self.change(container, number: $0) }
        }),
    ]
  }

  /// Times the readers while a task repeats a step.
  private static func read(
    _ container: Container, _ load: Load, beside step: @escaping @Sendable (_ number: Int) async throws -> Void
  ) async throws -> Sample {
    let progress = DisturberProgress()
    let disturber = Task.detached {
      defer { progress.end() }
      var number = 0
      while !progress.isToEnd {
        try await step(number)
        number += 1
        progress.steps.store(number, ordering: .releasing)
        // The disturber may run on the last free thread of the task pool.
        if !progress.hasReaders { await Task.yield() }
      }
    }
    while progress.steps.load(ordering: .acquiring) == 0, !progress.hasEnded {
      await Task.yield()
    }
    progress.hasReaders = true
    let before = progress.steps.load(ordering: .acquiring)
    let outcome = Result {
      try ThreadTeam.run(load) { count in
        try repeating(count) { consume(try container.resolve((any Greeter).self)) }
      }
    }
    let made = progress.steps.load(ordering: .acquiring) - before
    progress.askToEnd()
    try await disturber.value
    let readers = try outcome.get()
    return Sample(
      total: readers.total, operations: readers.operations,
      details: [.disturbance: Double(made) / readers.total * 1e9])
  }

  /// One step of the churn: registers a service, replaces it, builds it and resets it. The keys repeat, so that the registry stops
  /// growing while new registrations continue.
  private static func change(_ container: Container, number: Int) async throws {
    let key = number % 512
    try await container.register(Bystander.self, key: key, scope: .singleton) { _ in Bystander() }
    try await container.register(Bystander.self, key: key, scope: .singleton) { _ in Bystander() }
    _ = try await container.resolve(Bystander.self, key: key)
    await container.reset(Bystander.self, key: key)
  }

  /// Keeps a core busy for about the duration of a change, without accessing memory.
  private static func keepBusy(_ number: Int) {
    for _ in 0..<1_000 { _ = opaque(number) }
  }
}

/// The progress of the disturbing task, and the request to stop it.
private final class DisturberProgress: Sendable {
  let steps = Atomic<Int>(0)
  private let readers = Atomic<Bool>(false)
  private let toEnd = Atomic<Bool>(false)
  private let ended = Atomic<Bool>(false)

  /// Whether the readers are being timed.
  var hasReaders: Bool {
    get { readers.load(ordering: .acquiring) }
    set { readers.store(newValue, ordering: .releasing) }
  }
  var isToEnd: Bool { toEnd.load(ordering: .acquiring) }
  var hasEnded: Bool { ended.load(ordering: .acquiring) }

  func askToEnd() { toEnd.store(true, ordering: .releasing) }
  func end() { ended.store(true, ordering: .releasing) }
}
