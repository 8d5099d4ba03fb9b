internal import Synchronization

// The beginning and the end of a layer.
extension OverrideLayer {
  /// Runs an operation under the layer, and ends the layer.
  ///
  /// - Returns: The operation's result, and the failures of the disposals. An error of the operation takes precedence over them.
  nonisolated(nonsending) func run<Result>(
    _ operation: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> (result: Result, failures: [ShutdownError.Failure]) {
    begin()
    let result: Result
    do {
      result = try await Self.$current.withValue(self, operation: operation)
    } catch {
      _ = await end(after: .thrown(error))
      throw error
    }
    return (result, await end(after: .completed))
  }

  /// Runs a synchronous operation under the layer, and ends the layer as far as no step suspends; see ``endAtOnce(after:)``.
  func run<Result>(_ operation: () throws -> Result) rethrows -> (result: Result, failures: [ShutdownError.Failure]) {
    begin()
    let result: Result
    do {
      result = try Self.$current.withValue(self, operation: operation)
    } catch {
      _ = endAtOnce(after: .thrown(error))
      throw error
    }
    return (result, endAtOnce(after: .completed))
  }

  /// Puts the layer in force. Must be called before any task runs under it.
  func begin() {
    // If the container is closed, this closes the overlay, and the operation finds the container closed.
    overlay.listBelow(container)
    // Before the flags of the threads, which send a resolve to this count.
    Self.count.add(1, ordering: .acquiringAndReleasing)
    Reclaimer.shared.forceSlowPath(true)
  }

  /// Takes the layer out of force: tasks that still refer to it find the real container again.
  func takeOutOfForce() {
    markEnded()
    Reclaimer.shared.forceSlowPath(false)
    Self.count.subtract(1, ordering: .acquiringAndReleasing)
  }

  /// Ends the layer and disposes of the instances that it keeps.
  ///
  /// - Returns: The failures of the disposals.
  nonisolated(nonsending) func end(after outcome: ScopeOutcome) async -> [ShutdownError.Failure] {
    takeOutOfForce()
    defer { releaseShadows() }
    return await Self.close(takeSubstitutes(), after: outcome)
  }

  private nonisolated(nonsending) static func close(
    _ containers: [Container], after outcome: ScopeOutcome
  ) async -> [ShutdownError.Failure] {
    var failures: [ShutdownError.Failure] = []
    for container in containers { failures += await container.close(after: outcome) }
    return failures
  }

  /// Ends the layer for a synchronous caller.
  ///
  /// The containers of the layer close at once as far as no step suspends, and then in the background.
  ///
  /// - Returns: The failures of the disposals that have run.
  private func endAtOnce(after outcome: ScopeOutcome) -> [ShutdownError.Failure] {
    takeOutOfForce()
    defer { releaseShadows() }
    var remaining = takeSubstitutes()[...]
    var failures: [ShutdownError.Failure] = []
    while let container = remaining.popFirst() {
      switch container.closeAtOnce(after: outcome) {
      // Another caller closes the container, and a synchronous one cannot wait for that.
      case .notBegun: continue
      case nil: continue
      case .report(let reported): failures += reported
      case .disposals:
        Task.detached { [remaining] in
          _ = await container.closeSlowly(after: outcome)
          _ = await Self.close(Array(remaining), after: outcome)
        }
        return failures
      }
    }
    return failures
  }

  /// Releases the values of injected properties, outside of the lock. All disposals are complete or have begun.
  private func releaseShadows() {
    _ = shadows.withLock { exchange(&$0, with: nil) }
  }
}
