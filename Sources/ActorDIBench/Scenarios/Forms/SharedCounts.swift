import ActorDI
import Synchronization

/// P24: the reference counts that a form changes on every thread that runs it.
///
/// By hand, no form changes any. Each shared count makes the form slower on many cores than on one, so the notes name the objects.
struct SharedCounts: Scenario {
  static let name = "shared-counts"
  static let summary = "changes of reference counts that two threads share, for each form"

  static let plain = ContenderName.plain

  let unit = MeasuredUnit.counts
  let lanes = Lanes.single
  let fixedIterations: Int? = 1_000
  /// The counts are the same each time.
  let mostRepeats = 1
  let expectedAnswer = 1

  /// The shared objects that the last count of each contender has found.
  private let found = Found()

  var obstacle: String? { ReferenceCount.obstacle }

  var notes: [String] {
    ([Self.plain] + Form.all.map(\.name)).compactMap { contender in
      guard let objects = found.objects.withLock({ $0[contender] }), !objects.isEmpty else { return nil }
      let list = objects.map { "\($0.type) \(Format.short($0.changes))" }
      return "\(contender): \(list.joined(separator: ", "))"
    }
  }

  func contenders() async throws -> [Contender] {
    let world = try await FormWorld()
    return [
      counted(Self.plain, .floor, isRight: { Floors.leaf().weight == Answers.leaf }) { count in
        repeating(count) { consume(Floors.leaf()) }
      }
    ]
      + Form.all.map { form in
        counted(form.name, .container, isRight: { try await form.isRight(world) }) { count in
          try await form.run(world, count)
        }
      }
  }

  private func counted(
    _ name: String, _ role: Contender.Role, isRight: @escaping @Sendable () async throws -> Bool,
    _ body: @escaping @Sendable (Int) async throws -> Void
  ) -> Contender {
    Contender(
      name: name, role: role, answer: { try await isRight() ? 1 : 0 },
      work: .own { [found] load in
        let objects = try await ReferenceCount.sharedObjects(operations: load.iterations, body)
        found.objects.withLock { $0[name] = objects }
        let changes = objects.reduce(0) { $0 + $1.changes }
        return Sample(total: changes * Double(load.iterations), operations: load.iterations)
      })
  }

  private final class Found: Sendable {
    let objects = Mutex<[String: [ReferenceCount.SharedObject]]>([:])
  }
}
