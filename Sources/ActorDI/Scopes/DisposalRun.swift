/// A run of a disposal. A task that the disposer has started may refer to it after its end.
final class DisposalRun: Sendable {
  /// The runs that the current task, or the task that started it, is part of, the outermost first.
  @TaskLocal static var ofTask: [DisposalRun] = []

  private struct State: Sendable {
    var owners: ArraySlice<any LifecycleOwner>
    var batch: DisposalBatch?
  }

  private let state: Lock<State>

  private init(for owners: ArraySlice<any LifecycleOwner>, in batch: DisposalBatch?) {
    state = Lock(State(owners: owners, batch: batch))
  }

  /// The containers whose ends wait for the disposal; none once it has ended.
  var owners: ArraySlice<any LifecycleOwner> { state.withLock { $0.owners } }

  /// The batch that the disposal is part of; nil once it has ended.
  var batch: DisposalBatch? { state.withLock { $0.batch } }

  private func end() {
    // The last references to containers are released after the lock.
    _ = state.withLock { exchange(&$0, with: State(owners: [], batch: nil)) }
  }

  /// Runs a disposal.
  ///
  /// - Parameters:
  ///   - owners: The containers whose ends wait for the disposal.
  ///   - batch: The batch that the disposal is part of.
  ///   - runs: The disposals that wait for this one.
  static func run<Result: Sendable>(
    for owners: ArraySlice<any LifecycleOwner>, in batch: DisposalBatch? = nil, within runs: [DisposalRun] = ofTask,
    _ body: () async -> Result
  ) async -> Result {
    let run = DisposalRun(for: owners, in: batch)
    defer { run.end() }
    return await $ofTask.withValue(runs + [run], operation: body)
  }

  /// Runs disposals without suspending steps.
  static func run<Result>(for owners: ArraySlice<any LifecycleOwner>, _ body: () -> Result) -> Result {
    let run = DisposalRun(for: owners, in: nil)
    defer { run.end() }
    return $ofTask.withValue(ofTask + [run], operation: body)
  }
}

/// Disposals that run one after the other, for a caller that waits for the last of them.
final class DisposalBatch: Sendable, Hashable {
  static func == (left: DisposalBatch, right: DisposalBatch) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
