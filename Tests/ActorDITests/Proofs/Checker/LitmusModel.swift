/// A litmus test: a program of a few accesses, and the question whether it can end with certain values read.
///
/// Litmus tests check the memory model itself.
struct LitmusModel: ConcurrentModel {
  enum Step: Sendable {
    case load(Int, WeakMemory.Ordering)
    case store(Int, Int, WeakMemory.Ordering)
    /// Adds one.
    case add(Int, WeakMemory.Ordering)
    case fence
    case processBarrier
  }

  struct State: Hashable, Sendable {
    var memory: WeakMemory
    var next: [Int]
    /// The values that each thread has read, in order.
    var read: [[Int]]
  }

  let threads: [[Step]]
  /// The values that each thread reads in the outcome in question.
  let outcome: [[Int]]
  private let layout: WeakMemory.Layout

  init(_ threads: [[Step]], reading outcome: [[Int]], locations: Int = 2) {
    self.threads = threads
    self.outcome = outcome
    layout = WeakMemory.Layout(
      threads: threads.count, locks: 0, capacities: Array(repeating: 6, count: locations), marks: 0)
  }

  /// Whether the program can end with the outcome.
  var canHappen: Bool { Exploration(of: self).complaint != nil }

  var initial: State {
    State(
      memory: WeakMemory(layout, initially: layout.capacities.map { _ in 0 }), next: threads.map { _ in 0 },
      read: threads.map { _ in [] })
  }

  var threadNames: [String] { threads.indices.map { "thread \($0 + 1)" } }

  func isFinished(_ thread: Int, in state: State) -> Bool { state.next[thread] == threads[thread].count }

  func complaint(atEnd state: State) -> String? { state.read == outcome ? "it can happen" : nil }

  func step(_ thread: Int, _ state: inout State, _ move: inout Move) {
    let step = threads[thread][state.next[thread]]
    state.next[thread] += 1
    move.notify("\(step)")
    switch step {
    case .load(let location, let ordering):
      let value = state.memory.load(location, ordering, by: thread, &move)
      state.read[thread].append(value)
    case .store(let location, let value, let ordering):
      state.memory.store(location, value, ordering, by: thread)
    case .add(let location, let ordering):
      let old = state.memory.modify(location, ordering, by: thread) { $0 + 1 }
      state.read[thread].append(old)
    case .fence: state.memory.fence(by: thread)
    case .processBarrier: state.memory.processBarrier()
    }
    state.memory.tidy(readers: threads.indices.filter { !isFinished($0, in: state) })
  }
}
