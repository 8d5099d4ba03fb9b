import ActorDI
import Testing

/// Small programs of tasks and threads, whose histories have to be linearizable: what the clients see they would have seen, too, if the
/// operations had taken effect one after the other, in some order in which nothing comes before what was over when it began. The search is
/// that of Wing and Gong, with a memory of the states that led nowhere (Lowe).
@Suite(.inTurn) struct HistoryTests {
  @Test("What clients see at the same time, they might have seen one after the other")
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

  @Test("What has gone wrong at some time", arguments: HistoryProgram.found)
  func found(program: HistoryProgram) async throws {
    let run = StressRun("histories of programs that went wrong", size: 200)
    try await withWatchdog("histories of programs that went wrong") {
      for _ in 0..<run.size {
        guard let (history, problem) = await Self.problem(in: program) else { continue }
        complain("\(problem)\n\(history)")
        return
      }
    }
  }

  @Test("Rules that containers do not keep are found out", arguments: HistoryModel.Mistake.allCases)
  func mistakes(mistake: HistoryModel.Mistake) async throws {
    let run = StressRun("histories, and rules that are wrong", size: 600)
    try await withWatchdog("histories, and rules that are wrong") {
      for number in 0..<600 where await Self.problem(in: Self.program(number, run), mistake) != nil { return }
      complain("no history shows \(mistake)")
    }
  }

  @Test("Containers that are tampered with are found out", arguments: HistoryRun.Fault.allCases)
  func faults(fault: HistoryRun.Fault) async throws {
    let run = StressRun("histories of faulty containers", size: 600)
    try await withWatchdog("histories of faulty containers") {
      for number in 0..<600 {
        var program = Self.program(number, run)
        // Only if two run at the same time, nobody cares.
        if fault == .carelessSingletons { program.keepResolvesOnly() }
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

  /// The history of a program without the acts that do not matter. Each shorter one gets some chances to meet the same timing.
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

/// Looks for an order.
struct HistorySearch {
  private let history: RecordedHistory
  private let facts: HistoryModel.Facts
  private var seen: Set<HistoryModel> = []

  var visited: Int { seen.count }

  init(_ history: RecordedHistory, _ mistake: HistoryModel.Mistake? = nil) {
    self.history = history
    facts = HistoryModel.Facts(history, mistake)
  }

  /// What is wrong with the history; nil if nothing is.
  mutating func problem() -> String? {
    var got: [Int: Range<Int>] = [:]
    var isClosing = false
    for operation in history.operations {
      switch operation.answer {
      case .made(let number, _, _): got[number] = 0..<0
      case .failed(let number, _):
        let time = operation.begin..<operation.end
        // Those who get the same failure have waited for one attempt, at the same time.
        let common = time.clamped(to: got[number] ?? time)
        if common.isEmpty { return "failure \(number) was remembered" }
        got[number] = common
      case .closed: isClosing = true
      case .unexpected(let error): return "unexpected: \(error)"
      default: break
      }
    }
    // But for what is made while its container is closed.
    if !isClosing && Set(got.keys) != history.yielded {
      return "made for nobody: \(history.yielded.subtracting(got.keys).sorted())"
    }
    return canEnd(HistoryModel(facts)) ? nil : "no order explains this"
  }

  private mutating func canEnd(_ state: HistoryModel) -> Bool {
    if state.isDone { return true }
    // Given up: none needs so many.
    guard seen.count < 200_000 else { return true }
    guard seen.insert(state).inserted else { return false }
    let operations = state.next(facts)
    // One that finds what is there is as well placed now as later.
    for index in operations where facts.isReader(index) {
      if let next = state.afterAllSteps(of: index, facts, where: { $0.differsOnly(at: index, from: state) }) {
        return canEnd(next)
      }
    }
    // Those that returned first are tried first.
    for index in operations {
      for next in state.steps(of: index, facts) where canEnd(next) { return true }
    }
    return false
  }
}
