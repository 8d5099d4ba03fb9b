internal import Synchronization

// Builds that wait for one another because of an injection (G4).
extension OnceCell {
  /// Postpones the rest of a build, if its hooks have ended with one. If the awaited build has run meanwhile, finishes the rest at once.
  ///
  /// - Parameter chain: The chain of the build's caller.
  /// - Returns: The result of the build; nil if its rest waits for another build.
  func postponeOrFinishRest(
    of attempt: Attempt, _ result: Result<Product, any Error>, for chain: () -> Chain
  ) -> Result<Product, any Error>? {
    var result = result
    while case .failure(let rest as any RestOfBuild) = result {
      if postpone(attempt, rest) { return nil }
      // The awaited build has run in the meantime.
      result = whileWaiting(chain, for: attempt) { Result { try rest.finish(attempt) } }
    }
    return result
  }

  /// Runs a part of a build that follows its own hooks. The caller waits for it, although an uncontended build has no edge any more (W1).
  private func whileWaiting<Outcome>(_ chain: () -> Chain, for attempt: Attempt, _ body: () -> Outcome) -> Outcome {
    let edge = chain().edge(to: attempt)
    if let edge { WaitGraph.add(edge) }
    defer { if let edge { WaitGraph.remove(edge) } }
    return body()
  }

  /// Postpones the rest of a build until another build has run. From now on, the instance is given to the builds that lead to it.
  ///
  /// - Returns: False if the other build has run already.
  private func postpone(_ attempt: Attempt, _ rest: any RestOfBuild) -> Bool {
    let awaited = rest.awaited
    let edge = WaitGraph.Edge(
      source: attempt, target: awaited, path: [attempt.identity, awaited.identity], kind: .rest)
    // Added before the build is listed (W1).
    WaitGraph.add(edge)
    let build = PostponedBuild(attempt: attempt, retained: RetainedCell(self), rest: rest, edge: edge)
    guard awaited.postpone(build) else {
      WaitGraph.remove(edge)
      return false
    }
    build.hold()
    if attempt.endsInTask { WaitGraph.holdAgain() }
    return true
  }

  /// Finishes the builds that have waited for a build, which has run on this thread. If it has failed, drops them.
  ///
  /// The end of each one finishes the builds that have waited for it, too. None has made a ``ResolutionAware`` instance, which only
  /// asynchronous callers build.
  ///
  /// - Parameter chain: The chain of the build's caller.
  /// - Returns: The result of the build: if the rest of another one fails, its error.
  func finishOthers(
    awaiting attempt: Attempt, _ result: Result<Product, any Error>, for chain: () -> Chain
  ) -> Result<Product, any Error> {
    var result = result
    while let next = attempt.takePostponed() {
      guard let edge = next.begin(after: result, of: attempt) else { continue }
      let error = whileWaiting(chain, for: attempt) { next.end(Result { try next.rest.finish(next.attempt) }) }
      if let error { result = .failure(error) }
      WaitGraph.remove(edge)
    }
    return result
  }

  /// Finishes the builds that have waited for a build, which has run in the current task. If it has failed, drops them.
  func finishOthers(awaiting attempt: Attempt, _ result: Result<Product, any Error>) async -> Result<Product, any Error>
  {
    var result = result
    while let next = attempt.takePostponed() {
      guard let edge = next.begin(after: result, of: attempt) else { continue }
      let rest = await Result.catching { try await next.rest.finish(next.attempt) }
      // The builds that have waited for this one may suspend, so they are finished before its end, which would finish them on this thread.
      let all = await next.cell.finishOthers(awaiting: next.attempt, rest)
      if let error = next.end(all) { result = .failure(error) }
      WaitGraph.remove(edge)
      // The caller that gets the awaited instance notifies these, too.
      if let aware = next.attempt.awareInstances.load()?.takeAll(), !aware.isEmpty {
        attempt.awareInstances.load(orStore: AwareInstances()).add(aware)
      }
    }
    return result
  }
}

extension PostponedBuild {
  /// Holds this build, and anew the builds whose rest waits for it, if they now wait for a task.
  fileprivate func hold() {
    let isAsynchronous = rest.awaited.endsInTask
    cell.hold(attempt, isAsynchronous: isAsynchronous)
    if isAsynchronous { for other in attempt.postponed { other.hold() } }
  }

  /// Shows the instance of the awaited build to this one, or drops this one because the awaited build has failed.
  ///
  /// - Returns: The edge by which the awaited build runs the rest of this one; nil if this one has been dropped.
  fileprivate func begin(after result: Result<Product, any Error>, of awaited: Attempt) -> WaitGraph.Edge? {
    WaitGraph.remove(edge)
    guard case .success(let product) = result else {
      _ = try? cell.finishInline(attempt, .failure(OnceCell.Dropped()), for: Chain(nil))
      return nil
    }
    awaited.resumeOthers(with: product.instance)
    let running = WaitGraph.Edge(
      source: awaited, target: attempt, path: [awaited.identity, attempt.identity], kind: .build)
    WaitGraph.add(running)
    return running
  }

  /// Ends this build after its rest.
  ///
  /// - Returns: The error with which the awaited build ends, too, since it has taken the instance; nil if there is none.
  fileprivate func end(_ rest: Result<Product, any Error>) -> (any Error)? {
    do {
      _ = try cell.finishInline(attempt, rest, for: Chain(nil))
      return nil
    } catch let needed as OnceCell.SuspensionNeeded {
      return OnceCell.SuspensionNeeded(error: needed.error)
    } catch {
      return error
    }
  }
}
