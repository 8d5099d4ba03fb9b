import ActorDI
import Testing

/// Random programs, each step compared with a reference: identities, errors, and what is disposed of, in which order.
@Suite(.inTurn) struct ReferenceTests {
  @Test("Random programs do what the reference does")
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

  @Test("A reference with a mistake is found out", arguments: ReferenceModel.Mistake.allCases)
  func mistakes(mistake: ReferenceModel.Mistake) async throws {
    let run = StressRun("programs beside a reference that is wrong", size: 40_000)
    try await withWatchdog("programs beside a reference that is wrong") {
      for number in 0..<40_000 where await Self.difference(in: Self.program(number, run), mistake) != nil { return }
      complain("no program differs")
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

  /// A program without the steps that do not matter to the difference.
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
