import ActorDITestSupport
import Testing

@testable import ActorDI

/// All sequences of steps of a few callers.
@Suite("Scopes by key: all sequences of steps")
struct KeyedScopesExplorationTests {
  typealias Simulation = KeyedScopesSimulation

  /// Explores all states.
  ///
  /// - Returns: The number of states, and the first error with the choices that lead to it.
  private func explore(_ setting: Simulation.Setting) -> (count: Int, error: String?) {
    var seen: Set<String> = []
    var frontier: [[Simulation.Choice]] = [[]]
    while !frontier.isEmpty {
      var next: [[Simulation.Choice]] = []
      for path in frontier {
        let start = Simulation(setting)
        for choice in path { start.take(choice) }
        for choice in start.choices {
          let simulation = Simulation(setting)
          for choice in path + [choice] { simulation.take(choice) }
          if let violation = simulation.violation { return (seen.count, "\(violation): \(path + [choice])") }
          if simulation.choices.allSatisfy(\.fails) && !simulation.isFinished {
            return (seen.count, "a caller waits forever: \(path + [choice])")
          }
          if seen.insert(simulation.digest).inserted { next.append(path + [choice]) }
        }
      }
      frontier = next
    }
    return (seen.count, nil)
  }

  static let settings: [Simulation.Setting] = [
    .init(callers: [1, 1, 1], endsIdle: true),
    .init(callers: [1, 1], ended: [1, 1], hasSweeper: true, hasFailures: true),
    .init(callers: [1, 1], ended: [1], hasSweeper: true),
    .init(callers: [1, 2], max: 1),
    .init(callers: [1, 2, 3], max: 1, endsIdle: true, hasFailures: true),
    .init(callers: [1, 2, 1], max: 1, hasSweeper: true),
    .init(callers: [1, 2, 3], max: 2, hasFailures: true),
    .init(callers: [1, 2], max: 1, ended: [1], hasFailures: true),
    .init(callers: [1, 1], ended: [1], isShutDown: true),
    .init(callers: [1, 2, 1], endsIdle: true, hasOneWord: true),
    .init(callers: [1, 2, 3], endsIdle: true, hasOneWord: true),
    .init(callers: [1, 1], endsIdle: true, openedBelow: [1]),
    .init(callers: [1, 2], max: 1, openedBelow: [1]),
    .init(callers: [1, 1], ended: [1], hasSweeper: true, openedBelow: [1]),
  ]

  @Test("No scope has a twin or ends in use, and nobody waits forever", arguments: settings.indices)
  func rules(index: Int) {
    let (count, error) = explore(Self.settings[index])
    #expect(error == nil)
    #expect(count > 20)
  }

  @Test("The exploration finds a broken rule", arguments: Simulation.Mistake.allCases)
  func mistakes(mistake: Simulation.Mistake) {
    var setting = mistake.revealingSetting
    #expect(explore(setting).error == nil)
    setting.mistake = mistake
    #expect(explore(setting).error != nil)
  }
}

extension KeyedScopesSimulation.Mistake {
  /// A small setting in which a state shows the mistake.
  fileprivate var revealingSetting: KeyedScopesSimulation.Setting {
    switch self {
    case .forgottenWaiters: .init(callers: [1, 1], endsIdle: true)
    case .leaverDoesNotLook, .waiterLooksOnce: .init(callers: [1, 2], max: 1)
    case .keptSeat: .init(callers: [1, 2], max: 1, ended: [1], hasFailures: true)
    case .endWithoutWaiting: .init(callers: [1], ended: [1])
    case .uncountedBelow: .init(callers: [1, 1], endsIdle: true, openedBelow: [1])
    }
  }
}
