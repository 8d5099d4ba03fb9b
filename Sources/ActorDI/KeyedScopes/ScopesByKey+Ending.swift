// The end of an operation, and of a scope that is idle.
extension ScopesByKey {
  /// Ends an operation, as far as that does not suspend.
  ///
  /// - Returns: The rest, which ends the scope if it ends with the operation; nil if nothing remains.
  @usableFromInline
  func leave(_ use: Use) -> RestOfOperation? {
    leave(use.entry) { $0.leave(use, at: $1, endsIdle: $2) }
  }

  /// Ends an operation in a scope below that of an entry, as far as that does not suspend.
  func leaveBelow(_ entry: Entry) -> RestOfOperation? {
    leave(entry) { ($0.leaveBelow(entry, at: $1, endsIdle: $2), nil) }
  }

  private func leave(
    _ entry: Entry, _ end: (inout KeyTable, Duration, Bool) -> (effect: KeyTable.Effect, awaited: ScopeOperation?)
  ) -> RestOfOperation? {
    let endsIdle = idleFor == nil
    let now = endsIdle ? .zero : stopwatch.elapsed
    let (effect, awaited) = withTable(of: entry.word) { end(&$0, now, endsIdle) }
    let ending: Container?
    switch effect {
    case .stays: ending = nil
    case .becomesIdle:
      noteIdle()
      ending = nil
    case .ends(let scope): ending = scope
    }
    if ending == nil && awaited == nil { return usesAround?.endBelow() }
    return { [usesAround] in
      // From now on, no call cancels this task, which may still have to end the scope.
      _ = await awaited?.noteReturn(after: .completed)
      let failures = await ending?.drainAndClose(after: .completed).failures ?? []
      await awaited?.end()
      return failures + (await usesAround?.endBelow()?() ?? [])
    }
  }

  // MARK: Idle scopes

  /// Ends a scope that has become idle for a waiter, or starts the task that ends it later.
  private func noteIdle() {
    endIdleScopesForWaiters()
    startSweeper()
  }

  /// Ends idle scopes, the longest idle first, for callers that wait for a seat.
  func endIdleScopesForWaiters() {
    seats?.endIdleScopes {
      longestIdleSince != nil
    } _: {
      while let longest = longestIdleSince {
        if endIdleScopes(since: longest, atMost: 1) > 0 { return true }
      }
      return false
    }
  }

  /// The end of the last operation in the longest idle scope; nil if no scope is idle.
  private var longestIdleSince: Duration? { mapTables { $0.longestIdleSince }.compactMap { $0 }.min() }

  /// Ends scopes that have been idle since some time.
  ///
  /// - Returns: The number of scopes.
  @discardableResult
  private func endIdleScopes(since latest: Duration, atMost limit: Int = .max) -> Int {
    var ending: [Container] = []
    _ = mapTables { table in
      // Read under the lock: a shutdown may close the scope meanwhile, and remove it from its entry.
      while ending.count < limit, let scope = table.beginEndingLongestIdle(since: latest)?.scope {
        ending.append(scope)
      }
    }
    for scope in ending { Task.detached { _ = await scope.drainAndClose(after: .completed) } }
    return ending.count
  }

  // MARK: Sweeping

  /// Starts the task that ends each scope when it has been idle long enough, until no scope is idle.
  private func startSweeper() {
    if sweeper.isRunning { return }
    let clock = container.configuration.clock
    sweeper.start { [weak self] in
      while let next = self?.sweep() {
        do { try await clock.sleep(for: next.remaining) } catch {
          // The collection is gone. Otherwise, the clock cannot wait, so that the time counts as up.
          if Task.isCancelled { return }
          self?.endIdleScopes(since: next.since)
        }
      }
      self?.noteEndOfSweeper()
    }
  }

  /// Ends the scopes that have been idle long enough.
  ///
  /// - Returns: The end of the last operation in the longest idle scope, and the time that remains to it; nil if no scope is idle.
  private func sweep() -> (since: Duration, remaining: Duration)? {
    guard let idleFor else { return nil }
    while let since = longestIdleSince {
      let remaining = since + idleFor - stopwatch.elapsed
      if remaining > .zero { return (since, remaining) }
      endIdleScopes(since: stopwatch.elapsed - idleFor)
    }
    return nil
  }

  private func noteEndOfSweeper() {
    sweeper.noteEnd()
    // Its last user may have found the task running.
    if longestIdleSince != nil { startSweeper() }
  }
}
