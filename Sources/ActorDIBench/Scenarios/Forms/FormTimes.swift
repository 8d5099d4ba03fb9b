import ActorDI

/// P24 and P25: the time of each form, in one task and in as many tasks as there are cores.
struct FormTimes: Scenario {
  static let name = "forms"
  static let summary = "the ordinary forms of resolving, in one task and in one on each core"

  static let suspending = "plain construction that suspends once (floor)"

  /// All cores of the machine.
  static let everyCore = Environment.availableCores

  let lanes = Lanes.tasks(Set([1, FormTimes.everyCore]).sorted())
  /// Each contender answers 1 if its form gave the right result.
  let expectedAnswer = 1

  func contenders() async throws -> [Contender] {
    let world = try await FormWorld()
    return [Self.suspendingConstruction, Floors.arithmeticFromTasks(answer: 1)]
      + Form.all.map { form in
        Contender(
          name: form.name, role: .container,
          answer: { try await form.isRight(world) ? 1 : 0 },
          work: .tasks { count in try await form.run(world, count) })
      }
  }

  /// The floor of an asynchronous factory: a function that suspends once and makes the same object.
  private static let suspendingConstruction = Contender(
    name: suspending, role: .floor, answer: { await makeSuspending().weight },
    work: .tasks { count in
      for _ in 0..<count { Form.consume(await makeSuspending()) }
    })

  @inline(never)
  private nonisolated(nonsending) static func makeSuspending() async -> FormWorld.Loaded {
    await Task.yield()
    return FormWorld.Loaded()
  }
}
