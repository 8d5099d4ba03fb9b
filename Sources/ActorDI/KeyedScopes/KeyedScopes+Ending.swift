// The end of an operation, and of a scope that is idle.
extension KeyedScopes {
  /// Ends an operation, and the scope if it does not stay open.
  ///
  /// - Parameter endsScope: Whether an idle scope ends, whatever the time that it would stay open.
  /// - Returns: The failures of the scope's disposals.
  nonisolated(nonsending) func end(_ use: Use, endingScope endsScope: Bool = false) async -> [ShutdownError.Failure] {
    let endsIdle = endsScope || idleFor == nil
    let now = endsIdle ? .zero : stopwatch.elapsed
    let (departure, operation) = withTable(of: use.entry.key) {
      $0.leave(use.entry, use.number, at: now, endsIdle: endsIdle)
    }
    if let operation { await operation.end() }
    switch departure {
    case .done: return []
    case .idle:
      endIdleScopesForWaiters()
      sweeper.start { [self] in
        await sweep()
      } while: { [self] in
        longestIdleSince != nil
      }
      return []
    case .end: return await use.scope.drainAndClose(after: .completed).failures
    }
  }

  // MARK: Idle scopes

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
    var count = 0
    _ = mapTables { table in
      var ending: [Entry] = []
      while count < limit, let entry = table.beginEndingLongestIdle(since: latest) {
        ending.append(entry)
        count += 1
      }
      return ending.compactMap(\.scope)
    }.joined().map { scope in Task.detached { _ = await scope.drainAndClose(after: .completed) } }
    return count
  }

  /// Ends each scope when it has been idle long enough, until no scope is idle.
  private func sweep() async {
    guard let idleFor else { return }
    while let since = longestIdleSince {
      let remaining = since + idleFor - stopwatch.elapsed
      if remaining <= .zero {
        endIdleScopes(since: stopwatch.elapsed - idleFor)
        continue
      }
      do {
        try await container.configuration.clock.sleep(for: remaining)
      } catch {
        // All scopes have ended. Otherwise, the clock cannot wait, so that the time counts as up.
        if Task.isCancelled { return }
        endIdleScopes(since: since)
      }
    }
  }
}
