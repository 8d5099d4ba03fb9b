import ActorDI
import Testing

/// Random programs. Each step is compared with a reference model: identities, errors, and disposals with their order.
@Suite(.inTurn) struct ReferenceTests {
  @Test("Containers and the reference model agree on random programs")
  func programs() async throws {
    let run = StressRun("programs beside a reference", size: 1_500)
    try await withWatchdog("programs beside a reference") {
      for number in 0..<run.size {
        let program = Self.program(number, run)
        guard let difference = await Self.difference(in: program) else { continue }
        let (shortest, found) = await Self.shortened(program, difference)
        complain("\(found)\nprogram \(number):\n\(shortest.map { "  \($0)" }.joined(separator: "\n"))")
        return
      }
    }
  }

  @Test("A random program contradicts a reference model with a mistake", arguments: ReferenceModel.Mistake.allCases)
  func mistakes(mistake: ReferenceModel.Mistake) async throws {
    let run = StressRun("programs beside a wrong reference", size: 40_000)
    try await withWatchdog("programs beside a wrong reference") {
      for number in 0..<40_000 where await Self.difference(in: Self.program(number, run), mistake) != nil { return }
      complain("no program contradicts \(mistake)")
    }
  }

  private static func program(_ number: Int, _ run: StressRun) -> [Step] {
    var random = run.random(number)
    let length = Int.random(in: 20...400, using: &random)
    var reader = ProgramReader((0..<length).map { _ in UInt8.random(in: 0...255, using: &random) })
    return reader.program
  }

  private static func difference(in program: [Step], _ mistake: ReferenceModel.Mistake? = nil) async -> String? {
    do {
      try await ProgramRun.run(program, mistake)
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// Removes the steps that do not affect the difference.
  private static func shortened(_ program: [Step], _ difference: String) async -> ([Step], String) {
    var (shortest, found) = (program, difference)
    var index = 0
    while index < shortest.count {
      var shorter = shortest
      shorter.remove(at: index)
      if let difference = await Self.difference(in: shorter) {
        (shortest, found, index) = (shorter, difference, 0)
      } else {
        index += 1
      }
    }
    return (shortest, found)
  }
}
