internal import Synchronization

/// A build of a kept instance that nobody else waits for, on the stack of the thread that runs it.
///
/// It has no attempt, which is what others wait for, cancel and note requests in. Whoever needs one makes it: another thread by way of the
/// holder's cell (Q1), and the factory itself, when it has to wait for something or takes the slow path, by ``ThreadRecord/pointee``.
@safe
struct UncontendedBuild: ~Copyable {
  fileprivate let holder: Unmanaged<InstanceHolder>
  /// The hazard slot of the binding.
  fileprivate let slot: Int
  /// The address of the build that this one is part of; 0 for none.
  fileprivate let outer: UInt
  /// Where the notes of this build begin.
  fileprivate let firstNote: Int
  /// Whether it is noted what the factory asks for.
  fileprivate var isNoting: Bool
  /// Once somebody has needed it.
  fileprivate var attempt: Attempt?
  fileprivate var outerAttempt: Attempt?
  fileprivate var edge: WaitGraph.Edge?
}

extension UnsafeMutablePointer<ThreadRecord> {
  private static func build(at address: UInt) -> UnsafeMutablePointer<UncontendedBuild> {
    unsafe UnsafeMutablePointer<UncontendedBuild>(bitPattern: address).unsafelyUnwrapped
  }

  private var noteList: NoteList {
    if let notes = unsafe pointee.notes { return unsafe notes.takeUnretainedValue() }
    let notes = NoteList()
    unsafe pointee.notes = Unmanaged.passRetained(notes)
    return notes
  }

  /// Runs the factory of an uncontended build.
  ///
  /// - Parameters:
  ///   - slot: the hazard slot of the binding.
  ///   - isNoting: whether it is to be noted what the factory asks for.
  /// - Returns: what the factory has made, and what it has asked for.
  func buildingAlone(
    in holder: InstanceHolder, slot: Int, isNoting: Bool, _ make: () throws -> Instance
  ) -> (Result<Instance, any Error>, [ServiceIdentity]) {
    let firstNote = unsafe pointee.notes?._withUnsafeGuaranteedRef { $0.noted.count } ?? 0
    var build = unsafe UncontendedBuild(
      holder: .passUnretained(holder), slot: slot, outer: pointee.build, firstNote: firstNote, isNoting: isNoting)
    let result = unsafe withUnsafeMutablePointer(to: &build) { build in
      let outer = unsafe pointee.build
      unsafe pointee.build = UInt(bitPattern: build)
      let result = unsafe recording(isNoting) { Result { try make() } }
      unsafe pointee.build = outer
      return result
    }
    if let attempt = build.attempt { unsafe endAttempt(attempt, &build) }
    guard let notes = unsafe pointee.notes?.takeUnretainedValue(), notes.noted.count > firstNote else {
      return (result, [])
    }
    let noted = Array(notes.noted[firstNote...])
    notes.noted.removeSubrange(firstNote...)
    return (result, noted)
  }

  private func endAttempt(_ attempt: Attempt, _ build: inout UncontendedBuild) {
    unsafe presentContext?.attempt = build.outerAttempt
    if let edge = build.edge { WaitGraph.remove(edge) }
  }

  // MARK: Attempts

  /// Makes attempts of the uncontended builds on this thread, for the slow path: its chain is one of attempts.
  func makeAttempts() {
    if unsafe pointee.build != 0 { unsafe makeAttempt(of: Self.build(at: pointee.build)) }
  }

  @inline(never)
  private func makeAttempt(of build: UnsafeMutablePointer<UncontendedBuild>) {
    guard unsafe build.pointee.attempt == nil else { return }
    // The outer ones first: each is waited for by its own.
    if unsafe build.pointee.outer != 0 { unsafe makeAttempt(of: Self.build(at: build.pointee.outer)) }
    let cell = unsafe build.pointee.holder.takeUnretainedValue().ownCell
    // It is there as long as the build runs.
    guard let attempt = cell.attemptInFlight else { return }
    let context = unsafe ownContext
    unsafe build.pointee.attempt = attempt
    unsafe build.pointee.outerAttempt = context.attempt
    let chain = unsafe Chain(
      attempt: context.attempt, frame: context.frame,
      slots: Chain.Slots(record: self, range: context.start..<build.pointee.slot))
    if let edge = chain.edge(to: attempt) {
      // The enclosing attempt cannot go on before this one has ended, as if it waited.
      _ = WaitGraph.add(edge, isFresh: true)
      unsafe build.pointee.edge = edge
    }
    context.attempt = attempt
  }

  // MARK: Notes

  /// Notes that the innermost build on this thread, or the asynchronous factory that asks, has asked for a binding.
  func note(_ found: Binding, _ frame: ResolutionFrame?) {
    if let frame {
      if frame.isRecording.load(ordering: .relaxed) { frame.attempt?.note(found.identity) }
    } else {
      unsafe note(found.identity)
    }
  }

  /// Notes what the innermost build on this thread asks for.
  func note(_ identity: ServiceIdentity) {
    if unsafe pointee.build != 0 {
      let build = unsafe Self.build(at: pointee.build)
      if unsafe build.pointee.attempt == nil {
        if unsafe build.pointee.isNoting { unsafe noteList.noted.append(identity) }
        return
      }
    }
    unsafe presentContext?.attempt?.note(identity)
  }

  /// Runs the factory of a transient that is made for the innermost build on this thread: what it asks for, that one asks for, though its
  /// own dependencies are known without being noted.
  @inline(never)
  func notingOpaque(_ binding: Binding, _ body: () throws -> Void) throws {
    let build = unsafe Self.build(at: pointee.build)
    guard binding.mayTakeMore, unsafe !build.pointee.isNoting else { return try body() }
    unsafe build.pointee.isNoting = true
    defer { unsafe build.pointee.isNoting = false }
    try unsafe recording(true, body)
  }
}

extension OnceCell {
  /// Ends what has begun as an uncontended build as any other one ends (Q2).
  ///
  /// - Returns: nil for a caller that has to ask anew.
  func finishAlone(
    _ result: Result<Product, any Error>, _ disposal: Disposal?, _ notes: RequestNotes?
  ) throws -> Product? {
    guard let attempt = attemptInFlight else { return try result.get() }
    attempt.setDisposal(disposal)
    if let notes { attempt.note(allOf: notes.all) }
    return try finish(attempt, result, isInline: true)?.get()
  }
}
