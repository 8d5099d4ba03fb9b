import ActorDI
import Testing

private final class Numbered: Sendable {
  let number: Int
  init(_ number: Int) { self.number = number }
}

/// A container takes over the storage of a uniquely referenced registration. Other holders must never see a change.
@Suite("Registrations shared by several threads", .inTurn)
struct RegistrationValueStressTests {
  @Test func concurrentModifiersChangeOnlyTheirCopies() async throws {
    let run = StressRun("registrations shared by tasks", size: 2_000)
    try await withWatchdog("registrations shared by tasks") {
      for round in 0..<run.size {
        let registration = Registration(Numbered.self, scope: .singleton) { _ in Numbered(round) }
          .key(round).onDispose { _ in }
        // The task that holds the last reference takes over the storage.
        async let first = Self.use(registration, "first", round)
        async let second = Self.use(registration, "second", round)
        let third = try await Self.use(registration, "third", round)
        let instances = [try await first, try await second, third]
        #expect(Set(instances.map(ObjectIdentifier.init)).count == 3, "seed \(run.seed), round \(round)")
      }
    }
  }

  @concurrent
  private static func use(
    _ registration: consuming Registration<Numbered>, _ name: String, _ round: Int
  ) async throws -> Numbered {
    let container = Container(name: name)
    try await container.register(registration.key(name))
    #expect(!container.contains(Numbered.self, key: round))
    let instance = try await container.resolve(Numbered.self, key: name)
    #expect(instance.number == round)
    #expect(container.registrationCount == 1)
    try await container.shutdown()
    return instance
  }

  @Test func manyContainersCanUseOneCollection() async throws {
    let run = StressRun("collections in many containers", size: 100)
    try await withWatchdog("collections in many containers") {
      for round in 0..<run.size {
        let registrations = Registrations {
          for number in 0..<20 {
            Registration(Numbered.self, scope: .singleton) { _ in Numbered(number) }.key(number)
          }
        }
        try await withThrowingTaskGroup { group in
          for _ in 0..<8 {
            group.addTask {
              let container = Container { RegistrationGroup(key: "group") { registrations } }
              try await container.register { registrations }
              for number in 0..<20 {
                let instance = try await container.resolve(Numbered.self, key: number)
                #expect(instance.number == number, "seed \(run.seed), round \(round)")
              }
            }
          }
          try await group.waitForAll()
        }
      }
    }
  }
}
