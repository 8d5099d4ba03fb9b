@testable import ActorDI

/// A once machine that events have brought into one of its states.
struct OnceSituation: Sendable, CustomStringConvertible {
  enum Condition: Sendable, CaseIterable {
    case live, cancelled, detached, cancelledAndDetached
  }

  let description: String
  let machine: OnceStateMachine
  /// The expected state of the build; nil if the machine is not building.
  var build: OnceStateMachine.Build?

  static let idle = OnceSituation(description: "idle", machine: OnceStateMachine())

  static var ready: OnceSituation {
    var machine = OnceStateMachine()
    _ = machine.arrive(1, .synchronous, mode: .inline, hasValue: false)
    _ = machine.finish(1, .value)
    return OnceSituation(description: "ready", machine: machine)
  }

  /// Brings a machine into the middle of a build.
  ///
  /// Joined waiters have the numbers 1, 2 …; latecomers have 11, 12 …. The attempt of a task has a
  /// joined waiter until it is cancelled.
  static func building(
    _ mode: OnceStateMachine.BuildMode, _ condition: Condition, joined: Int, latecomers: Int
  ) -> OnceSituation? {
    let isCancelled = condition == .cancelled || condition == .cancelledAndDetached
    let isDetached = condition == .detached || condition == .cancelledAndDetached
    // Only the attempt of a task is cancelled, and it is cancelled exactly when no waiter is joined.
    guard isCancelled == (mode == .task && joined == 0) else { return nil }
    guard latecomers == 0 || isCancelled || isDetached else { return nil }

    var machine = OnceStateMachine()
    _ = machine.arrive(1, .asynchronous, mode: mode, hasValue: false)
    var ids = mode == .task ? [1] : [] as [UInt64]
    while ids.count < joined {
      let id = UInt64(ids.count) + 1
      ids.append(id)
      _ = machine.arrive(id, .asynchronous, mode: mode, hasValue: false)
    }
    if isCancelled {
      _ = machine.leave(1)
      ids = []
    }
    if isDetached { machine.reset() }
    let late = (0..<UInt64(latecomers)).map { 11 + $0 }
    for id in late { _ = machine.arrive(id, .asynchronous, mode: mode, hasValue: false) }
    let build = OnceStateMachine.Build(
      attempt: 1, mode: mode, isCancelled: isCancelled, isDetached: isDetached, joined: ids,
      latecomers: late)
    return OnceSituation(
      description: "\(mode) \(condition), joined \(ids), latecomers \(late)", machine: machine,
      build: build)
  }

  /// A situation for every kind of build.
  static let allBuilding: [OnceSituation] = {
    var all: [OnceSituation] = []
    for mode in [OnceStateMachine.BuildMode.inline, .task] {
      for condition in Condition.allCases {
        for joined in 0...3 {
          for latecomers in 0...2 {
            if let it = building(mode, condition, joined: joined, latecomers: latecomers) {
              all.append(it)
            }
          }
        }
      }
    }
    return all
  }()
}
