internal import Synchronization

// Nearly every build of a scoped service is over before anybody else has come for it. So where nothing but the factory has to run, it
// begins without an attempt, which is what others wait for, cancel and note things in: the *quiet* build. The first who needs the attempt
// makes it, under the cell's lock: Q1, whoever has arrived to wait, whoever looks for builds in flight, and the factory itself when
// it resolves something. Q2: the end of the build looks, under the same lock, whether there is one, and if so ends as any other.
extension OnceCell {
  enum QuietArrival {
    case value(Instance)
    /// The caller builds, without an attempt, and reports by ``finishQuietly(_:_:_:)`` or ``finishAloud(_:_:_:)``.
    case build(OnceStateMachine.AttemptID)
  }

  /// The arrival of a caller that has nothing to do but to call a synchronous factory.
  ///
  /// - Returns: nil where there is more to it, or it would have to wait; nothing has happened then.
  func arriveQuietly() -> QuietArrival? {
    storage.readClock()
    guard !isPeriodical else { return nil }
    return state.withLock { state -> QuietArrival? in
      let existing = storage.load()
      guard state.machine.isAnsweredAtOnce(hasValue: existing != nil, canBuild: true),
        !state.machine.isRetired
      else { return nil }
      if let existing { return isHomeClosed ? nil : .value(existing) }
      guard state.incomplete == nil, beginAtHome(),
        case .build(let number) = state.machine.arrive(
          0, .asynchronous, mode: .inline, hasValue: false)
      else { return nil }
      return .build(number)
    }
  }

  /// Keeps what a quiet build has made.
  ///
  /// - Parameter disposal: the end of it, which is taken.
  /// - Returns: false when the build is not quiet any more, or there is more to keeping it: nothing has happened then.
  func finishQuietly(
    _ number: OnceStateMachine.AttemptID, _ instance: Instance, _ disposal: inout Disposal?
  ) -> Bool {
    let isKept = state.withLock { state in
      guard state.attempt == nil && state.disposal == nil && state.observed == nil, !isHomeClosed,
        state.machine.isUnattended(number), storage.storeAlone(instance)
      else { return false }
      state.machine.finishUnattended(number)
      state.builder = number
      swap(&state.disposal, &disposal)
      return true
    }
    if isKept { endAtHome() }
    return isKept
  }

  /// Ends what has begun as a quiet build as any other one ends.
  func finishAloud(
    _ number: OnceStateMachine.AttemptID, _ result: Result<Product, any Error>, _ disposal: Disposal?
  ) throws -> Product {
    let attempt = attemptInFlight ?? Attempt(identity, binding: binding, number: number)
    attempt.setDisposal(disposal)
    return try finish(attempt, result, isInline: true).get()
  }

  /// The attempt in progress, if there is one (Q1).
  func attempt(in state: inout State) -> Attempt? {
    if let attempt = state.attempt { return attempt }
    guard let number = state.machine.attempt else { return nil }
    let attempt = Attempt(identity, binding: binding, number: number)
    state.attempt = attempt
    return attempt
  }
}

extension UnsafeMutablePointer<ThreadRecord> {
  /// Runs the factory of a quiet build. What it resolves makes an attempt of it: see ``attendToQuietBuild()``.
  func buildingQuietly<Result>(in cell: OnceCell, _ body: () throws -> Result) rethrows -> Result {
    unsafe pointee.quietBuild = UInt(bitPattern: Unmanaged.passUnretained(cell).toOpaque())
    defer {
      // It may have become an attempt, in a context that was made for it.
      if unsafe pointee.quietBuild == 0 { unsafe existingContext?.attempt = nil }
      unsafe pointee.quietBuild = 0
    }
    return try unsafe recording(true, body)
  }

  /// Makes the quiet build on this thread known to the call tree, if there is one.
  @inline(never)
  func attendToQuietBuild() {
    let address = unsafe pointee.quietBuild
    unsafe pointee.quietBuild = 0
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return }
    // Whoever has called the factory holds the cell.
    let cell = unsafe Unmanaged<OnceCell>.fromOpaque(pointer).takeUnretainedValue()
    unsafe callContext.attempt = cell.attemptInFlight
  }
}
