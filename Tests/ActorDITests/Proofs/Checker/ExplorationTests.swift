import Testing

/// Two threads that each take two locks, in the same order or in opposite orders.
private struct Locks: ConcurrentModel {
  struct State: Hashable, Sendable {
    var at = [0, 0]
    var holders = [-1, -1]
  }

  var isOrdered: Bool
  var initial: State { State() }
  var threadNames: [String] { ["left", "right"] }
  func isFinished(_ thread: Int, in state: State) -> Bool { state.at[thread] == 3 }
  func complaint(atEnd state: State) -> String? { nil }

  func step(_ thread: Int, _ state: inout State, _ move: inout Move) {
    if state.at[thread] < 2 {
      let lock = isOrdered || thread == 0 ? state.at[thread] : 1 - state.at[thread]
      if state.holders[lock] != -1 { return move.block() }
      state.holders[lock] = thread
      move.notify("takes lock \(lock)")
    } else {
      for lock in 0...1 { state.holders[lock] = -1 }
      move.notify("releases its locks")
    }
    state.at[thread] += 1
  }
}

/// One thread that draws digits.
private struct Lottery: ConcurrentModel {
  let wanted: [Int]
  let atEnd: Bool
  var initial: [Int] { [] }
  var threadNames: [String] { ["player"] }
  func isFinished(_ thread: Int, in state: [Int]) -> Bool { state.count >= 4 }
  func complaint(atEnd state: [Int]) -> String? { atEnd && state == wanted ? "ended with \(state)" : nil }

  func step(_ thread: Int, _ state: inout [Int], _ move: inout Move) {
    // Two choices in one step; the second depends on the first.
    let first = move.choose(3)
    state += [first, move.choose(first + 1)]
    move.notify("draws \(state.suffix(2))")
    if !atEnd, state == wanted { move.complain("drew \(state)") }
  }
}

@Suite("Exploration of models")
struct ExplorationTests {
  @Test func explorationFindsADeadlockByAShortestPath() {
    let exploration = Exploration(of: Locks(isOrdered: false))
    #expect(exploration.complaint == "left, right can never continue")
    #expect(exploration.story.sorted().prefix(2) == ["left, right can never continue", "left: takes lock 0"])
    #expect(exploration.story.count == 3)
  }

  @Test func explorationFindsNoFaultInACorrectModel() {
    let exploration = Exploration(of: Locks(isOrdered: true))
    #expect(exploration.complaint == nil)
    #expect(exploration.story == [])
    // There are 4 × 4 states, except the 4 in which both threads would hold lock 0.
    #expect(exploration.stateCount == 12)
  }

  @Test func explorationTriesEveryChoice() {
    // Each step draws one of three digits, then a digit up to it: 6 pairs, so 36 sequences of two steps.
    #expect(Exploration(of: Lottery(wanted: [], atEnd: true)).stateCount == 1 + 6 + 36)
    for wanted in [[0, 0, 0, 0], [2, 1, 1, 0], [2, 2, 2, 2]] {
      let atEnd = Exploration(of: Lottery(wanted: wanted, atEnd: true))
      #expect(atEnd.complaint == "ended with \(wanted)")
      let onTheWay = Exploration(of: Lottery(wanted: wanted, atEnd: false))
      #expect(onTheWay.story.first == "player: draws \(wanted[..<2])")
      #expect(onTheWay.complaint == "drew \(wanted)")
    }
    #expect(
      Exploration(of: Lottery(wanted: [1, 2, 0, 0], atEnd: true)).complaint == nil,
      "The second digit is at most the first")
  }

  @Test func explorationReportsAModelThatIsTooLarge() {
    #expect(Exploration(of: Lottery(wanted: [], atEnd: true), limit: 10).complaint == "more than 10 states")
  }
}
