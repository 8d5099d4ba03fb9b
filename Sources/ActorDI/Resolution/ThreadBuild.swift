internal import Synchronization

/// A build that runs on a thread, on its stack: of an instance that a container or a call tree keeps.
///
/// Most builds begin and end uncontended, without an ``Attempt``. One is created on demand. Another thread creates it through the holder's
/// cell (Q1). The factory creates it through the thread's record when it must wait or takes the slow path.
///
/// It has no managed references, so creating and copying it only moves words.
@safe
struct ThreadBuild: BitwiseCopyable {
  /// The holder, of an uncontended build.
  fileprivate let holder: UnheldReference<InstanceHolder>?
  /// The hazard slot of the binding, of an uncontended build.
  fileprivate let slot: Int
  /// The address of the enclosing build; 0 for none.
  fileprivate let outer: UInt
  /// Whether the call tree keeps the instance. Such an instance is part of no kept one, so its requests need no notes.
  fileprivate let isKeptByCall: Bool
  /// Whether to note the identities that the factory requests.
  fileprivate var isNoting: Bool
  /// The attempt; nil until one is needed.
  fileprivate var attempt: UnheldReference<Attempt>?
  /// The attempt that was created on demand, retained; nil if there is none.
  fileprivate var created: UnheldReference<CreatedAttempt>?
  /// The instance while its hooks run, which may resolve the same service; nil before.
  fileprivate var provisional: UnheldReference<Box>?
  /// Whether the hook that runs is an injection.
  fileprivate var isInjecting = false

  /// An attempt that an uncontended build has needed.
  fileprivate final class CreatedAttempt {
    /// Retained while the build runs.
    let attempt: Attempt
    /// The wait of the enclosing build for this one.
    private let edge: WaitGraph.Edge?

    init(_ attempt: Attempt, _ edge: WaitGraph.Edge?) {
      self.attempt = attempt
      self.edge = edge
    }

    // Not inlined, since most builds need no attempt.
    @inline(never)
    func end() { if let edge { WaitGraph.remove(edge) } }
  }
}

/// The address of a build on the stack of its thread.
///
/// Marked as safe because a record, or an inner build, names a build only while it runs.
@safe
private struct ThreadBuildPointer: BitwiseCopyable {
  private let pointer: UnsafeMutablePointer<ThreadBuild>

  init(_ pointer: UnsafeMutablePointer<ThreadBuild>) { unsafe self.pointer = pointer }

  /// Creates the pointer that a record or a build has; nil for 0.
  init?(at address: UInt) {
    guard let pointer = unsafe UnsafeMutablePointer<ThreadBuild>(bitPattern: address) else { return nil }
    unsafe self.pointer = pointer
  }

  var address: UInt { unsafe UInt(bitPattern: pointer) }

  var pointee: ThreadBuild {
    unsafeAddress { unsafe UnsafePointer(pointer) }
    nonmutating unsafeMutableAddress { unsafe pointer }
  }

  /// The enclosing build.
  var outer: ThreadBuildPointer? { ThreadBuildPointer(at: pointee.outer) }
}

extension ThreadRecordPointer {
  private var innermostBuild: ThreadBuildPointer? { ThreadBuildPointer(at: pointee.build) }

  // MARK: Running a build

  /// Runs a part of a build as the innermost one on the thread.
  private func running<Result>(_ build: ThreadBuild, _ body: () throws -> Result) rethrows -> Result {
    var build = build
    return try unsafe withUnsafeMutablePointer(to: &build) { pointer in
      let build = unsafe ThreadBuildPointer(pointer)
      pointee.build = build.address
      defer {
        pointee.build = build.pointee.outer
        build.pointee.created?.takeRetained().end()
      }
      return try recording(build.pointee.isNoting, body)
    }
  }

  /// Runs the factory of an uncontended build.
  ///
  /// - Parameters:
  ///   - holder: The holder of the kept instance.
  ///   - slot: The hazard slot of the binding.
  ///   - isKeptByCall: Whether the call tree keeps the instance.
  ///   - isNoting: Whether to note the identities that the factory requests.
  ///   - notes: The noted identities, on return or throw; nil if there are none.
  /// - Returns: The factory's result.
  /// - Throws: The factory's error.
  func buildingUncontended(
    in holder: InstanceHolder, slot: Int, isKeptByCall: Bool, isNoting: Bool, _ notes: inout RequestNotes?,
    _ make: () throws -> Instance
  ) throws -> Instance {
    let firstNote = pointee.notes?.borrow { $0.noted.count } ?? 0
    defer { notes = takeNotes(from: firstNote) }
    let build = ThreadBuild(
      holder: UnheldReference(holder), slot: slot, outer: pointee.build, isKeptByCall: isKeptByCall, isNoting: isNoting)
    return try running(build, make)
  }

  /// Runs a part of a build that has an attempt.
  ///
  /// - Parameter isKept: Whether the instance outlives the call, so that its requests are noted. The requests of a `.graph` instance are
  ///   noted only if it becomes part of a kept instance.
  func building<Result>(_ attempt: Attempt, keeping isKept: Bool, _ body: () throws -> Result) rethrows -> Result {
    makeAttempts()
    if !isKept && !isRecording { attempt.note(allOf: nil) }
    let build = ThreadBuild(
      holder: nil, slot: 0, outer: pointee.build, isKeptByCall: !isKept, isNoting: isKept,
      attempt: UnheldReference(attempt))
    defer { withExtendedLifetime(attempt) {} }
    return try running(build, body)
  }

  // MARK: Notes

  private var noteList: NoteList {
    if let notes = pointee.notes { return notes.object }
    let notes = NoteList()
    pointee.notes = UnheldReference(retaining: notes)
    return notes
  }

  /// Removes and returns the notes of a build; nil if there are none.
  private func takeNotes(from firstNote: Int) -> RequestNotes? {
    guard let notes = pointee.notes?.object, notes.noted.count > firstNote else { return nil }
    return notes.take(from: firstNote)
  }

  /// Whether nothing under construction on this thread outlives the call, or notes its requests.
  var isBuildingForCall: Bool { !isRecording && (innermostBuild.map { $0.pointee.isKeptByCall } ?? true) }

  // MARK: Attempts

  /// Creates attempts for the uncontended builds on this thread, because the slow path's chain needs them.
  func makeAttempts() {
    // Not recursive: a deep chain may have left little of the stack.
    var builds: [ThreadBuildPointer] = []
    var next = innermostBuild
    while let build = next, build.pointee.attempt == nil {
      builds.append(build)
      next = build.outer
    }
    // Outer builds first: each outer build waits for the one within it.
    while let build = builds.popLast() { makeAttempt(of: build) }
  }

  private func makeAttempt(of build: ThreadBuildPointer) {
    guard let attempt = build.pointee.holder?.object.ownCell.attemptInFlight else {
      preconditionFailure("Q1: the cell has an attempt as long as the build runs")
    }
    let chain = Chain(attempt: self.attempt, frame: frame, slots: pointee.chainStart..<build.pointee.slot)
    let edge = chain.edge(to: attempt)
    // The enclosing build cannot continue before this one ends, as if it waited.
    if let edge { WaitGraph.add(edge) }
    build.pointee.created = UnheldReference(retaining: ThreadBuild.CreatedAttempt(attempt, edge))
    build.pointee.attempt = UnheldReference(attempt)
    if let box = build.pointee.provisional {
      attempt.show(Instance(box.object), toInjection: build.pointee.isInjecting)
    }
  }

  /// Shows the new instance to its next hook. The caller keeps the instance until the hooks have returned.
  func showProvisional(_ instance: Instance, toInjection isInjection: Bool) {
    guard let build = innermostBuild else { return }
    build.pointee.provisional = UnheldReference(instance.box)
    build.pointee.isInjecting = isInjection
    build.pointee.attempt?.borrow { $0.show(instance, toInjection: isInjection) }
  }

  /// The attempt of the innermost build on this thread; nil if that build has needed none so far.
  var innermostAttempt: Attempt? { innermostBuild?.pointee.attempt?.object }

  /// The attempt of the innermost build on this thread that has one; see ``makeAttempts()``.
  var attempt: Attempt? {
    var next = innermostBuild
    while let build = next {
      if let attempt = build.pointee.attempt { return attempt.object }
      next = build.outer
    }
    return nil
  }

  /// Whether the innermost build on this thread is that of a binding, and runs a hook that is no injection.
  func isInOtherHook(of binding: BindingID) -> Bool {
    guard let build = innermostBuild else { return false }
    if let attempt = build.pointee.attempt { return attempt.borrow { $0.isInOtherHook(of: binding) } }
    return build.pointee.provisional != nil && !build.pointee.isInjecting
      && slot(at: build.pointee.slot) == binding.step
  }

  /// Notes that the innermost build on this thread has requested an identity.
  func note(_ identity: ServiceIdentity) {
    guard let build = innermostBuild else { return }
    if let attempt = build.pointee.attempt {
      attempt.borrow { $0.note(identity) }
    } else if build.pointee.isNoting {
      noteList.noted.append(identity)
    }
  }

  /// Lets the innermost build on this thread, if there is one, note the requests of a transient that is made for it as its own. Its
  /// known dependencies may make notes unnecessary otherwise.
  ///
  /// - Returns: What ``endNoting(_:)`` restores after the transient's factory and hooks; nil if nothing has changed.
  // Not a function with a closure: the optimiser would retain what the closure captures, and threads would contend for its reference
  // counts.
  func beginNoting(requestsOf binding: Binding) -> UInt? {
    guard let build = innermostBuild, binding.mayTakeMore else { return nil }
    guard !build.pointee.isNoting && !build.pointee.isKeptByCall else { return nil }
    let outer = pointee.recording
    build.pointee.isNoting = true
    pointee.recording = 1
    return outer
  }

  /// Ends the notes of a transient for the innermost build on this thread.
  ///
  /// - Parameter outer: The result of ``beginNoting(requestsOf:)``.
  func endNoting(_ outer: UInt) {
    pointee.recording = outer
    innermostBuild?.pointee.isNoting = false
  }
}

extension OnceCell {
  /// Ends an uncontended build through the once cell, like any other build (Q2).
  ///
  /// - Returns: The product; nil if the caller must ask again.
  func endUncontended(
    _ result: Result<Product, any Error>, _ disposal: Disposal?, _ notes: RequestNotes?,
    for chain: @autoclosure () -> Chain
  ) throws -> Product? {
    guard let attempt = attemptInFlight else {
      preconditionFailure("Q2: the cell has an attempt until the build ends")
    }
    attempt.setDisposal(disposal)
    if let notes { attempt.note(allOf: notes.all) }
    return try finishInline(attempt, result, for: chain())
  }
}

extension Instance {
  /// Stores the requests of the build that made this instance. Not inlined into a build, which would retain the box for it.
  @inline(never)
  func note(_ requests: RequestNotes) { box.notes = requests }
}
