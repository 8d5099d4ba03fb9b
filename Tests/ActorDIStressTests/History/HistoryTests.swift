import ActorDI
import Testing

/// Checks that the histories of small programs of tasks and threads are linearizable: an order of the operations explains all results, and
/// keeps each operation after those that had returned before its call. The search is that of Wing and Gong, with a memory of visited
/// states (Lowe).
@Suite(.inTurn) struct HistoryTests {
  @Test("The histories of random programs are linearizable")
  func histories() async throws {
    let run = StressRun("histories", size: 150)
    try await withWatchdog("histories") {
      var largest = 0
      for number in 0..<run.size {
        let program = Self.program(number, run)
        let history = await HistoryRun.history(of: program)
        var search = HistorySearch(history)
        let problem = search.problem()
        largest = max(largest, search.visited)
        guard let problem else { continue }
        let (shortest, found) = await Self.shortened(program, (history, problem)) { await Self.problem(in: $0) }
        complain("program \(number): \(found)\n\(shortest)")
        return
      }
      print("histories: at most \(largest) states")
    }
  }

  @Test("The histories of earlier failing programs are linearizable", arguments: HistoryProgram.regressions)
  func regressions(program: HistoryProgram) async throws {
    let run = StressRun("histories of earlier failing programs", size: 200)
    try await withWatchdog("histories of earlier failing programs") {
      for _ in 0..<run.size {
        guard let (history, problem) = await Self.problem(in: program) else { continue }
        complain("\(problem)\n\(history)")
        return
      }
    }
  }

  @Test("The search rejects a model with a wrong rule", arguments: HistoryModel.Mistake.allCases)
  func mistakes(mistake: HistoryModel.Mistake) async throws {
    let run = StressRun("histories with a wrong rule", size: 600)
    try await withWatchdog("histories with a wrong rule") {
      for number in 0..<600 where await Self.problem(in: Self.program(number, run), mistake) != nil { return }
      complain("no history shows \(mistake)")
    }
  }

  @Test("The search rejects the histories of faulty containers", arguments: HistoryRun.Fault.allCases)
  func faults(fault: HistoryRun.Fault) async throws {
    let run = StressRun("histories of faulty containers", size: 600)
    try await withWatchdog("histories of faulty containers") {
      for number in 0..<600 {
        var program = Self.program(number, run)
        // This fault shows only in concurrent builds.
        if fault == .unsynchronizedSingletons { program.keepResolvesOnly() }
        if await Self.problem(in: program, fault: fault) != nil { return }
      }
      complain("no history shows \(fault)")
    }
  }

  private static func program(_ number: Int, _ run: StressRun) -> HistoryProgram {
    var random = run.random(number)
    return HistoryProgram(&random)
  }

  private static func problem(
    in program: HistoryProgram, _ mistake: HistoryModel.Mistake? = nil, fault: HistoryRun.Fault? = nil
  ) async -> (RecordedHistory, String)? {
    let history = await HistoryRun.history(of: program, fault)
    var search = HistorySearch(history, mistake)
    return search.problem().map { (history, $0) }
  }

  /// Removes the operations that do not affect the failure. Runs each shorter program several times, to meet the same timing.
  private static func shortened(
    _ program: HistoryProgram, _ found: (RecordedHistory, String),
    _ problem: (HistoryProgram) async -> (RecordedHistory, String)?
  ) async -> (RecordedHistory, String) {
    var (shortest, found) = (program, found)
    var index = 0
    while index < shortest.count {
      let shorter = shortest.without(index)
      index += 1
      for _ in 0..<50 {
        guard let again = await problem(shorter) else { continue }
        (shortest, found, index) = (shorter, again, index - 1)
        break
      }
    }
    return found
  }
}

/// Searches for an order that explains a history.
struct HistorySearch {
  private let history: RecordedHistory
  private let facts: HistoryModel.Facts
  private var seen: Set<HistoryModel> = []

  /// The number of visited states.
  var visited: Int { seen.count }

  init(_ history: RecordedHistory, _ mistake: HistoryModel.Mistake? = nil) {
    self.history = history
    facts = HistoryModel.Facts(history, mistake)
  }

  /// Returns a description of the history's error; nil if the history is valid.
  mutating func problem() -> String? {
    var got: [Int: Range<Int>] = [:]
    var isClosing = false
    for operation in history.operations {
      switch operation.answer {
      case .made(let number, _, _): got[number] = 0..<0
      case .failed(let number, _):
        let time = operation.begin..<operation.end
        // Callers that get the same failure waited for one attempt at the same time.
        let common = time.clamped(to: got[number] ?? time)
        if common.isEmpty { return "a later resolve got failure \(number) again" }
        got[number] = common
      case .closed: isClosing = true
      case .unexpected(let error): return "unexpected error: \(error)"
      default: break
      }
    }
    // An instance that is built during a shutdown can have no caller.
    if !isClosing && Set(got.keys) != history.produced {
      return "no caller got \(history.produced.subtracting(got.keys).sorted())"
    }
    return hasOrder(HistoryModel(facts)) ? nil : "no order explains this history"
  }

  private mutating func hasOrder(_ state: HistoryModel) -> Bool {
    if state.isDone { return true }
    // The search gives up here. No valid history needs as many states.
    guard seen.count < 200_000 else { return true }
    guard seen.insert(state).inserted else { return false }
    let operations = state.next(facts)
    // A read that changes nothing can take effect now, since a later moment gives no more orders.
    for index in operations where facts.isReader(index) {
      if let next = state.afterAllSteps(of: index, facts, where: { $0.differsOnly(at: index, from: state) }) {
        return hasOrder(next)
      }
    }
    // Operations that returned first are tried first.
    for index in operations {
      for next in state.steps(of: index, facts) where hasOrder(next) { return true }
    }
    return false
  }
}
