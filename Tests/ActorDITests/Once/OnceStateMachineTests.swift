import ActorDITestSupport
import Testing

@testable import ActorDI

private typealias Machine = OnceStateMachine

@Suite("Once machine: idle and ready")
struct OnceRestingTests {
  @Test func anIdleMachineLetsASynchronousCallerBuildInline() {
    var machine = OnceSituation.idle.machine
    #expect(machine.arrive(7, .synchronous, mode: .inline, hasValue: false) == .build(1))
    #expect(machine.state == .building(.init(attempt: 1, mode: .inline)))
  }

  @Test func anIdleMachineStartsATaskWithTheCallerAsFirstWaiter() {
    var machine = OnceSituation.idle.machine
    #expect(machine.arrive(7, .asynchronous, mode: .task, hasValue: false) == .start(1))
    #expect(machine.state == .building(.init(attempt: 1, mode: .task, joined: [7])))
  }

  @Test func anIdleMachineRefusesASynchronousCallerThatNeedsATask() {
    var machine = OnceSituation.idle.machine
    #expect(machine.arrive(7, .synchronous, mode: .unavailable, hasValue: false) == .asyncRequired)
    #expect(machine == OnceSituation.idle.machine)
  }

  @Test func anIdleMachineIgnoresDeparturesReportsAndResets() {
    var machine = OnceSituation.idle.machine
    #expect(machine.leave(1) == .tooLate)
    #expect(machine.finish(0, .value) == .init())
    #expect(machine.finish(1, .value) == .init())
    machine.reset()
    #expect(machine == OnceSituation.idle.machine)
  }

  @Test func aMachineIsEmptyUnlessItKeepsAValue() {
    #expect(OnceSituation.idle.machine.isEmpty(hasValue: false))
    #expect(OnceSituation.ready.machine.isEmpty(hasValue: false), "The value is released")
    #expect(!OnceSituation.ready.machine.isEmpty(hasValue: true))
  }

  @Test(arguments: [Machine.BuildMode.inline, .task, .unavailable])
  func aReadyMachineReturnsTheValueToEachCaller(mode: OnceStateMachine.BuildMode) {
    var machine = OnceSituation.ready.machine
    #expect(machine.arrive(7, .synchronous, mode: mode, hasValue: true) == .value)
    #expect(machine.arrive(8, .asynchronous, mode: mode, hasValue: true) == .value)
    #expect(machine == OnceSituation.ready.machine)
  }

  @Test func aReadyMachineBuildsAgainWhenItsWeakValueIsReleased() {
    var machine = OnceSituation.ready.machine
    #expect(machine.arrive(7, .asynchronous, mode: .task, hasValue: false) == .start(2))
    machine = OnceSituation.ready.machine
    #expect(machine.arrive(7, .synchronous, mode: .inline, hasValue: false) == .build(2))
    machine = OnceSituation.ready.machine
    #expect(machine.arrive(7, .synchronous, mode: .unavailable, hasValue: false) == .asyncRequired)
  }

  @Test func aReadyMachineIgnoresDeparturesAndStaleReports() {
    var machine = OnceSituation.ready.machine
    #expect(machine.leave(1) == .tooLate)
    for outcome in [Machine.Outcome.value, .unkeptValue, .failure, .abandoned] {
      #expect(machine.finish(1, outcome) == .init())
    }
    #expect(machine == OnceSituation.ready.machine)
  }

  @Test func aResetDropsTheValue() {
    var machine = OnceSituation.ready.machine
    machine.reset()
    #expect(machine.state == .idle)
    machine.reset()
    #expect(machine.state == .idle)
    #expect(machine.arrive(7, .asynchronous, mode: .task, hasValue: false) == .start(2))
  }

  @Test func retiringDropsTheValueAndRefusesAllCallers() {
    var machine = OnceSituation.ready.machine
    machine.retire()
    #expect(machine.isRetired)
    #expect(machine.state == .idle)
    machine.retire()
    #expect(machine.state == .idle)
    for mode in [Machine.BuildMode.inline, .task, .unavailable] {
      #expect(machine.arrive(7, .synchronous, mode: mode, hasValue: true) == .retired)
      #expect(machine.arrive(7, .asynchronous, mode: mode, hasValue: false) == .retired)
    }
    var idle = OnceSituation.idle.machine
    idle.retire()
    #expect(idle.arrive(7, .asynchronous, mode: .task, hasValue: false) == .retired)
  }
}

@Suite("Once machine: building")
struct OnceBuildingTests {
  @Test("Each situation has the state of its description", arguments: OnceSituation.allBuilding)
  func situations(_ situation: OnceSituation) throws {
    let build = try #require(situation.build)
    #expect(situation.machine.state == .building(build))
  }

  @Test func theSituationsCoverAllKindsOfBuilds() {
    // Inline: 4 live ones with 0 to 3 joined waiters; 12 detached, also with 0 to 2 latecomers. Task: 3 live ones with 1 to 3 joined
    // waiters; 9 detached, also with 0 to 2 latecomers; 3 cancelled, and 3 cancelled and detached, with 0 to 2 latecomers.
    #expect(OnceSituation.allBuilding.count == 4 + 12 + 3 + 9 + 3 + 3)
  }

  @Test("A caller joins the attempt, or waits for its end", arguments: OnceSituation.allBuilding)
  func arriving(_ situation: OnceSituation) throws {
    let build = try #require(situation.build)
    for caller in [Caller.synchronous, .asynchronous] {
      for mode in [Machine.BuildMode.inline, .task, .unavailable] {
        for hasValue in [false, true] {
          var machine = situation.machine
          let answer = machine.arrive(50, caller, mode: mode, hasValue: hasValue)
          if caller == .synchronous, build.mode == .task {
            #expect(answer == .asyncRequired)
            #expect(machine == situation.machine)
            continue
          }
          #expect(answer == .wait, "N1")
          var after = build
          if build.isCancelled || build.isDetached {
            after.latecomers.append(50)  // N3
          } else {
            after.joined.append(50)
          }
          #expect(machine.state == .building(after))
        }
      }
    }
  }

  @Test("A waiter can leave once", arguments: OnceSituation.allBuilding)
  func leaving(_ situation: OnceSituation) throws {
    let build = try #require(situation.build)
    for waiter in build.joined + build.latecomers {
      var machine = situation.machine
      var after = build
      after.joined.removeAll { $0 == waiter }
      after.latecomers.removeAll { $0 == waiter }
      let isLast = build.mode == .task && build.joined == [waiter]
      after.isCancelled = build.isCancelled || isLast
      #expect(machine.leave(waiter) == (isLast ? .leftLast : .left), "N2")
      #expect(machine.state == .building(after))
      #expect(machine.leave(waiter) == .tooLate, "N2")
    }
    var machine = situation.machine
    #expect(machine.leave(99) == .tooLate)
    #expect(machine == situation.machine)
  }

  @Test("All waiters get the value; a detached attempt's latecomers retry", arguments: OnceSituation.allBuilding)
  func value(_ situation: OnceSituation) throws {
    let build = try #require(situation.build)
    var machine = situation.machine
    let ending = machine.finish(1, .value)
    if build.isDetached {
      #expect(ending == .init(deliver: build.joined, retry: build.latecomers), "N4")
      #expect(machine.state == .idle)
    } else {
      #expect(ending == .init(publishes: true, deliver: build.joined + build.latecomers))
      #expect(machine.state == .ready)
    }
    #expect(machine.finish(1, .value) == .init(), "N1")
  }

  @Test("One caller gets a value that is not kept; the others retry", arguments: OnceSituation.allBuilding)
  func unkeptValue(_ situation: OnceSituation) throws {
    let build = try #require(situation.build)
    var machine = situation.machine
    let ending = machine.finish(1, .unkeptValue)
    let owners = build.mode == .task ? Array(build.joined.prefix(1)) : []
    #expect(ending.deliver == owners)
    #expect(ending.retry == build.joined.dropFirst(owners.count) + build.latecomers)
    #expect(ending.publishes == false)
    #expect(machine.state == .idle)
  }

  @Test("Only the attempt's own waiters get its error", arguments: OnceSituation.allBuilding)
  func failure(_ situation: OnceSituation) throws {
    let build = try #require(situation.build)
    var machine = situation.machine
    let ending = machine.finish(1, .failure)
    #expect(ending == .init(deliver: build.joined, retry: build.latecomers), "N3")
    #expect(machine.state == .idle)
  }

  @Test("All waiters retry an abandoned attempt", arguments: OnceSituation.allBuilding)
  func abandoned(_ situation: OnceSituation) throws {
    let build = try #require(situation.build)
    var machine = situation.machine
    #expect(machine.finish(1, .abandoned) == .init(retry: build.joined + build.latecomers))
    #expect(machine.state == .idle)
  }

  @Test("The machine ignores a report of another attempt", arguments: OnceSituation.allBuilding)
  func staleReport(_ situation: OnceSituation) {
    for attempt in [0, 2, UInt64.max] {
      for outcome in [Machine.Outcome.value, .unkeptValue, .failure, .abandoned] {
        var machine = situation.machine
        #expect(machine.finish(attempt, outcome) == .init(), "N1")
        #expect(machine == situation.machine)
      }
    }
  }

  @Test("A machine that builds is not empty", arguments: OnceSituation.allBuilding)
  func building(_ situation: OnceSituation) {
    #expect(!situation.machine.isEmpty(hasValue: false))
    #expect(!situation.machine.isEmpty(hasValue: true))
  }

  @Test("A reset detaches the attempt and drops no value", arguments: OnceSituation.allBuilding)
  func resetting(_ situation: OnceSituation) throws {
    var build = try #require(situation.build)
    build.isDetached = true
    var machine = situation.machine
    machine.reset()
    #expect(machine.state == .building(build))
    #expect(machine.isRetired == false)
  }

  @Test("Retiring detaches the attempt and refuses all callers", arguments: OnceSituation.allBuilding)
  func retiring(_ situation: OnceSituation) throws {
    var build = try #require(situation.build)
    build.isDetached = true
    var machine = situation.machine
    machine.retire()
    #expect(machine.state == .building(build))
    #expect(machine.arrive(50, .asynchronous, mode: .task, hasValue: false) == .retired)
    #expect(
      machine.finish(1, .value) == .init(deliver: build.joined, retry: build.latecomers), "N4")
    #expect(machine.state == .idle)
    #expect(machine.arrive(50, .asynchronous, mode: .task, hasValue: true) == .retired)
  }
}
