/// The rest of a build: an injection that waits for another build, and the hooks after it.
///
/// Thrown by the hooks of a build that cannot wait, because the awaited build runs it on its own stack.
protocol RestOfBuild: Error {
  /// The instance, whose factory has run.
  var instance: Instance { get }
  /// The build that the injection waits for.
  var awaited: Attempt { get }
  /// The run that the rest continues, if its beginning was reported to observers.
  var run: ObservedRun? { get set }

  /// Runs the rest on this thread.
  func finish(_ attempt: Attempt) throws -> Product

  /// Runs the rest in the task of the awaited build.
  func finish(_ attempt: Attempt) async throws -> Product
}

/// A build whose rest waits for another build.
///
/// - G4: An injection that asks for a service whose factory is running, and that this factory has led to, waits for the build of that
///   service. Until then, its own instance is given to the builds that the awaited build waits for. The two builds end together.
struct PostponedBuild: Sendable {
  let attempt: Attempt
  let retained: RetainedCell
  let rest: any RestOfBuild
  /// The wait for the other build.
  let edge: WaitGraph.Edge

  var cell: OnceCell { retained.cell }
}
