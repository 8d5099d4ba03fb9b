// The beginning of an operation, and the opening of its scope.
//
// - C6 *published last*: the opener stores the scope in its entry, emits the opening, lists the scope in its parent, starts its modules,
//   and then publishes it. So the end of a scope that an observer closes finds the entry; no shutdown ends a scope before its opening is
//   emitted; a shutdown finds a scope whose modules run (L5); and no caller gets a scope before the task of its modules has been started.
extension ScopesByKey {
  /// Begins an operation if the scope of its key is open, and the key is the latest one of its word. Different keys rarely have one word.
  ///
  /// - Parameters:
  ///   - word: A hash of the key.
  ///   - isMatch: Whether a key is the wanted one. Called outside of the lock, since it is user code.
  @usableFromInline
  func beginAtOnce(_ word: UInt, where isMatch: (Key) -> Bool) -> Use? {
    guard let latest = withTable(of: word, { $0.latestEntry(of: word) }), isMatch(latest.key) else { return nil }
    let task = TaskAddress.current
    return noteAround(withTable(of: word) { $0.beginIfPermitted(latest, by: task) })
  }

  /// Begins an operation that no task runs, in the scope of an entry; see ``KeyTable/extend(_:)``.
  func extend(_ entry: Entry) -> Use? { noteAround(withTable(of: entry.word) { $0.extend(entry) }) }

  /// Begins an operation in a scope below that of an entry.
  func beginBelow(_ entry: Entry) {
    withTable(of: entry.word) { $0.beginBelow(entry) }
    usesAround?.beginBelow()
  }

  /// Notes an operation that has begun in the scope around the collection, too.
  private func noteAround(_ use: Use?) -> Use? {
    if use != nil { usesAround?.beginBelow() }
    return use
  }

  /// Begins an operation. Opens the scope of the key, or waits for it, if necessary.
  @usableFromInline
  nonisolated(nonsending) func begin(_ key: Key, _ word: UInt) async throws -> Use {
    let task = TaskAddress.current
    while true {
      let entries = withTable(of: word) { $0.entries(of: word) }
      guard let entry = entries.first(where: { $0.key == key }) else {
        let new = withTable(of: word) { $0.insert(key, word, before: entries.first) }
        if let new { return try await open(new, by: task) }
        continue
      }
      switch withTable(of: word, { $0.arrive(at: entry, by: task) }) {
      case .use(let use):
        usesAround?.beginBelow()
        return use
      case .wait(let latch, let ending):
        try checkOpen()
        try await wait(for: latch, endOf: ending)
      case .removed: continue
      }
    }
  }

  private func checkOpen() throws(ResolutionError) {
    if isRefusing { throw closed }
  }

  /// Whether no further scope opens.
  private var isRefusing: Bool { container.lifecycle.isClosed || container.isBelowDraining }

  /// The error for a caller that gets no scope, because the container is closed or, otherwise, the scope of the key.
  private var closed: ResolutionError {
    ResolutionError(.closed, for: nil, container: isRefusing ? container.name : name.description)
  }

  /// Waits for another caller, which opens or ends the scope.
  private nonisolated(nonsending) func wait(for latch: Latch, endOf ending: Container?) async throws {
    let hasChanged: Bool? = await withTaskCancellationHandler {
      guard let ending else { return await latch.wait() }
      return await ending.waitForEndUnlessAwaited { await latch.wait() }
    } onCancel: {
      latch.open(with: false)
    }
    // The end of the scope waits for the caller, which is one of its disposers, for example.
    guard let hasChanged else { throw closed }
    if !hasChanged { throw CancellationError() }
  }

  private nonisolated(nonsending) func open(_ entry: Entry, by task: UInt) async throws -> Use {
    do { try await takeSeat() } catch {
      removeKey(of: entry)
      throw error
    }
    let scope: Container
    do {
      try Task.checkCancellation()
      scope = try await makeScope(for: entry)
    } catch {
      remove(entry)
      throw error
    }
    let now = stopwatch.elapsed
    // The last step (C6).
    guard let (use, waiters) = withTable(of: entry.word, { $0.opened(entry, at: now, by: task) }) else {
      // A shutdown has found the scope (L5), and may close it, too. A module may have extended the scope before.
      _ = await scope.drainAndClose(after: .shutDown)
      throw closed
    }
    usesAround?.beginBelow()
    waiters.open()
    return use
  }

  private nonisolated(nonsending) func makeScope(for entry: Entry) async throws -> Container {
    let scope = Container(
      keyed: name.description, of: container, usedBy: KeyedScopeUses(of: entry, in: self),
      { [registrations, key = entry.key] in registrations(key) })
    let modules = try scope.loadCheckedScope(registrations(entry.key))
    // C6, from here on. The entry keeps the scope alive from now on.
    withTable(of: entry.word) { $0.prepare(entry, scope) }
    // An observer gets the scope, and may close it.
    scope.emitOpening()
    if !container.list(scope) {
      _ = await scope.close(after: .shutDown)
      throw closed
    }
    scope.run(modules)
    return scope
  }

  // MARK: Seats

  private nonisolated(nonsending) func takeSeat() async throws {
    guard let seats, let waiter = seats.take() else { return }
    endIdleScopesForWaiters()
    // A drainer marks the container before it dismisses the waiters.
    if isRefusing { waiter.dismiss() }
    if await seats.wait(waiter) { return }
    try Task.checkCancellation()
    throw closed
  }

  /// Removes a key whose scope has ended, or could not be opened, and releases its seat.
  func remove(_ entry: Entry) { if removeKey(of: entry) { seats?.release() } }

  /// Removes a key.
  ///
  /// - Returns: False if the key was removed before.
  @discardableResult
  private func removeKey(of entry: Entry) -> Bool {
    guard let removal = withTable(of: entry.word, { $0.remove(entry) }) else { return false }
    removal.waiters.open()
    return true
  }
}
