/// Explores all states that a model can reach, or finds a shortest path to an error.
///
/// The search is breadth first, with a set of visited states, so the path to the first error is a shortest one. These are errors:
///
/// - a complaint of a step;
/// - a state in which no thread can take a step, though a thread has not finished: a deadlock or a lost wake-up;
/// - a complaint of the model about a state in which all threads have finished.
struct Exploration<Subject: ConcurrentModel> {
  private(set) var stateCount = 0
  private(set) var stepCount = 0
  private(set) var complaint: String?
  /// The steps that led to the complaint, one line each, and the complaint itself.
  private(set) var story: [String] = []

  /// The step by which a state was first reached.
  private struct Way {
    let from: Int
    let thread: Int
    let choices: [UInt8]
  }

  private let model: Subject
  private var states: [Subject.State] = []
  private var ways: [Way] = []
  private var numbers: [Subject.State: Int] = [:]

  /// Explores a model.
  ///
  /// - Parameters:
  ///   - model: The model to explore.
  ///   - limit: The largest number of states. Exceeding it is a complaint, since the model is then too large to explore fully.
  init(of model: Subject, limit: Int = 2_000_000) {
    self.model = model
    add(model.initial, Way(from: 0, thread: 0, choices: []))
    var next = 0
    while next < states.count, complaint == nil {
      if next > limit { complaint = "more than \(limit) states" }
      explore(next)
      next += 1
    }
    stateCount = states.count
    // There may be many states, and they are not needed any more.
    (states, ways, numbers) = ([], [], [:])
  }

  private mutating func add(_ state: Subject.State, _ way: Way) {
    guard numbers.updateValue(states.count, forKey: state) == nil else { return }
    states.append(state)
    ways.append(way)
  }

  private mutating func explore(_ number: Int) {
    let state = states[number]
    var canGoOn = false
    var areAllFinished = true
    for thread in model.threadNames.indices where !model.isFinished(thread, in: state) {
      areAllFinished = false
      var choices: [UInt8]? = []
      while let chosen = choices {
        var after = state
        var move = Move(choices: chosen)
        model.step(thread, &after, &move)
        choices = move.successor
        if move.isBlocked { continue }
        canGoOn = true
        stepCount += 1
        if let complaint = move.complaint {
          return stop(complaint, after: number, Way(from: number, thread: thread, choices: move.choices))
        }
        if numbers[after] == nil { add(after, Way(from: number, thread: thread, choices: move.choices)) }
      }
    }
    if areAllFinished {
      if let complaint = model.complaint(atEnd: state) { stop(complaint, after: number) }
    } else if !canGoOn {
      let waiting = model.threadNames.indices.filter { !model.isFinished($0, in: state) }
      stop("\(waiting.map { model.threadNames[$0] }.joined(separator: ", ")) can never continue", after: number)
    }
  }

  private mutating func stop(_ complaint: String, after number: Int, _ last: Way? = nil) {
    self.complaint = complaint
    var way = last.map { [$0] } ?? []
    var number = number
    while number != 0 {
      way.append(ways[number])
      number = ways[number].from
    }
    var state = model.initial
    for step in way.reversed() {
      var move = Move(choices: step.choices, telling: true)
      model.step(step.thread, &state, &move)
      story += (move.story ?? []).map { "\(model.threadNames[step.thread]): \($0)" }
    }
    story.append(complaint)
  }
}
