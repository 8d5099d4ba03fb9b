/// A run of a disposal. A task that the disposer has started may refer to it after its end.
final class DisposalRun: Sendable {
  /// The runs that the current task, or the task that started it, is part of, the outermost first.
  @TaskLocal static var ofTask: [DisposalRun] = []

  private let current: Lock<(any LifecycleOwner)?>

  init(for owner: any LifecycleOwner) { current = Lock(owner) }

  /// The container of the disposal; nil once the disposal has ended.
  var owner: (any LifecycleOwner)? { current.withLock { $0 } }

  func end() { _ = current.withLock { exchange(&$0, with: nil) } }
}
