import Testing

@testable import ActorDIBench

@Suite("The forms of programs")
struct FormsTests {
  @Test("Each form gives the right result, once and repeatedly", arguments: Form.all.map(\.name))
  func results(name: String) async throws {
    let form = try #require(Form.all.first { $0.name == name })
    let world = try await FormWorld()
    #expect(try await form.isRight(world))
    try await form.run(world, 3)
    #expect(try await form.isRight(world))
  }

  @Test("No two forms have one name, and each kind has forms")
  func names() {
    #expect(Set(Form.all.map(\.name)).count == Form.all.count)
    for kind in Form.Kind.allCases { #expect(!Form.all(of: kind).isEmpty, "\(kind)") }
  }

  @Test("Each form is bounded by its shared counts and by its throughput")
  func bounds() {
    let bounds = Bounds.forms.filter { $0.row == "P24" }
    for scenario in [SharedCounts.name, FormTimes.name] {
      let bounded = bounds.filter { $0.scenarios == [scenario] }.flatMap(\.points).map {
        $0.figure.subjects[0].contender
      }
      #expect(Set(bounded) == Set(Form.all.map(\.name)), "\(scenario)")
    }
  }

  @Test("The excess over one subject is read as a multiple of another")
  func multipleBeyond() {
    func subject(_ contender: String) -> Bound.Subject { .init(scenario: "s", contender: contender) }
    var results = Results()
    func series(_ contender: String, _ samples: [Double]) -> Series {
      Series(scenario: "s", contender: contender, role: .container, lane: 1, unit: .operation, samples: samples)
    }
    results.merge([
      series("optional", [50, 60, 70]), series("required", [30, 30, 30]), series("transient", [10, 10, 20]),
    ])
    let figure = Bound.Figure.multipleBeyond(subject("optional"), over: subject("required"), of: subject("transient"))
    #expect(figure.read(results) == 2)
    #expect(figure.subjects.map(\.contender) == ["optional", "required", "transient"])
  }

  @Test("Values have the sizes that their names say")
  func sizes() {
    #expect(ValueSizes.sizes == [1, 6, 7, 40].map { $0 * MemoryLayout<Int>.size })
  }

  @Test("The notes name the shared objects", .enabled(if: SharedCounts().obstacle == nil))
  func notes() async throws {
    let scenario = SharedCounts()
    #expect(scenario.notes.isEmpty)
    let contender = try #require(try await scenario.contenders().first { $0.name == Form.overrides.name })
    guard case .own(let work) = contender.work else { return }
    let sample = try await work(Load(iterations: 100, lane: 1, limit: 0))
    #expect(scenario.notes.isEmpty == (sample.total == 0))
    #expect(scenario.notes.allSatisfy { $0.hasPrefix("\(contender.name): ") })
  }
}

@Suite("Counting shared references", .enabled(if: ReferenceCount.obstacle == nil))
struct ReferenceCountTests {
  final class Planted: Sendable {}

  @Test("An object that two threads retain and release is found, with its type and its changes")
  func planted() async throws {
    let planted = Planted()
    let shared = try await ReferenceCount.sharedObjects(operations: 1_000) { count in
      repeating(count) { retainAndRelease(planted) }
    }
    let found = try #require(shared.first { $0.type == "\(Planted.self)" })
    #expect(found.changes >= 2)
    // The loop around the operations may change the count, too, but only once.
    #expect(abs(found.changes - found.changes.rounded()) < 0.01)
  }

  @Test("Objects that each thread makes for itself are not shared")
  func construction() async throws {
    let shared = try await ReferenceCount.sharedObjects(operations: 1_000) { count in
      repeating(count) { retainAndRelease(Planted()) }
    }
    #expect(shared.isEmpty)
  }

  @Test("An object that is changed once in all operations is not reported")
  func rare() async throws {
    let planted = Planted()
    let shared = try await ReferenceCount.sharedObjects(operations: 1_000) { _ in retainAndRelease(planted) }
    #expect(shared.isEmpty)
  }

  @Test("The count follows a task through its suspensions")
  func suspensions() async throws {
    let planted = Planted()
    let shared = try await ReferenceCount.sharedObjects(operations: 100) { count in
      for _ in 0..<count {
        await Task.yield()
        retainAndRelease(planted)
      }
    }
    #expect(shared.contains { $0.type == "\(Planted.self)" && $0.changes >= 2 })
  }

  @Test("Strings that are no objects are neither counted nor changed", arguments: ["short", "fourteen chars", literal])
  func strings(text: String) async throws {
    let strings = [String](repeating: text, count: 2)
    let characters = Array(text)
    let shared = try await ReferenceCount.sharedObjects(operations: 100) { count in
      repeating(count) { keep(strings[0]) }
    }
    #expect(shared.allSatisfy { $0.type.contains("Array") })
    #expect(Array(strings[1]) == characters)
  }

  private static let literal = "a literal that is too long for a short string"

  @Test("A number becomes text during a count")
  func numbers() async throws {
    let numbers = [0, 0.1, -1.5, 1e100, .pi, .infinity, .nan]
    let texts = numbers.map(\.description)
    _ = try await ReferenceCount.sharedObjects(operations: 100) { count in
      for _ in 0..<count { #expect(numbers.map { "\($0)" } == texts) }
    }
  }

  @Test("The error of the body is thrown, and the next count works")
  func errors() async throws {
    struct Failure: Error {}
    await #expect(throws: Failure.self) {
      _ = try await ReferenceCount.sharedObjects(operations: 10) { _ in throw Failure() }
    }
    #expect(try await ReferenceCount.sharedObjects(operations: 10) { _ in }.isEmpty)
  }
}

@inline(never) @_optimize(none)
private func keep(_ string: String) {
  let kept = string
  withExtendedLifetime(kept) {}
}
