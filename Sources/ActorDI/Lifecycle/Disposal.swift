internal import CActorDI

/// That an instance has to be disposed of: once, by whoever takes this out of its container's list.
///
/// `@unchecked Sendable` as its superclass; what it adds is immutable.
class Disposal: LinkedElement, @unchecked Sendable {
  /// The registration of what is to be disposed of.
  let binding: Binding

  /// When the instance was created, among all in the process: what is created later is disposed of earlier.
  let number: UInt64

  /// The object that ``Disposable/dispose()`` is called on, if it is one that is held strongly: nobody else is to do that.
  let object: ObjectIdentifier?

  /// Whether nothing of it suspends.
  let isSynchronous: Bool

  /// In whose list it stands. Unowned, since that holds this; whoever takes it out holds the container.
  unowned(unsafe) private let home: Lifecycle
  final var lifecycle: Lifecycle { unsafe home }

  init(
    of binding: Binding, in lifecycle: Lifecycle, object: ObjectIdentifier?,
    isSynchronous: Bool
  ) {
    self.binding = binding
    // A counter would be one that all threads write.
    number = actordi_now()
    self.object = object
    self.isSynchronous = isSynchronous
    unsafe home = lifecycle
  }

  // MARK: Running it

  /// Disposes of the instance, for whoever has taken this out of the list.
  ///
  /// - Returns: what went wrong.
  final func perform() async -> [ShutdownError.Failure] {
    guard let container = lifecycle.container else { return [] }
    let work = Work(container)
    defer { work.end() }
    let errors = await Self.$works.withValue(Self.works + [work]) { await told(in: container) }
    return errors.map { failure(.failed($0)) }
  }

  /// The same where nothing suspends.
  final func performSynchronously(_ failures: inout [ShutdownError.Failure]) {
    let errors =
      BuildObservation.isPossible ? toldSynchronously(in: lifecycle.container) : runSynchronously() ?? []
    for error in errors { failures.append(failure(.failed(error))) }
  }

  /// Whether it is the end of an instance, to be told of.
  var isTold: Bool { true }

  /// Runs it, and tells of it.
  final func told(in container: Container?) async -> [any Error] {
    let began = isTold ? container?.observedNow : nil
    guard let errors = await run() else { return [] }
    container?.emitDisposal(of: binding, since: began, error: errors.first)
    return errors
  }

  /// The same where nothing suspends.
  @inline(never)
  final func toldSynchronously(in container: Container?) -> [any Error] {
    let began = isTold ? container?.observedNow : nil
    guard let errors = runSynchronously() else { return [] }
    container?.emitDisposal(of: binding, since: began, error: errors.first)
    return errors
  }

  /// Disposes of an instance that came too late for any list.
  final func performInBackground() {
    if isSynchronous {
      var failures: [ShutdownError.Failure] = []
      performSynchronously(&failures)
    } else {
      // With the container, which is not to go before.
      Task.detached { [container = lifecycle.container] in
        _ = await self.perform()
        withExtendedLifetime(container) {}
      }
    }
  }

  final func failure(_ reason: ShutdownError.Reason) -> ShutdownError.Failure {
    ShutdownError.Failure(binding.identity, in: lifecycle.container?.name ?? "", reason)
  }

  /// The containers for which the task, or the one that started it, is disposing of something now.
  static var containersOfTask: [Container] { works.compactMap(\.container) }

  @TaskLocal private static var works: [Work] = []

  private final class Work: Sendable {
    private let current: Lock<Container?>
    init(_ container: Container) { current = Lock(container) }
    var container: Container? { current.withLock { $0 } }
    func end() {
      _ = current.withLock { current in
        let old = current
        current = nil
        return old
      }
    }
  }

  // MARK: What there is to do

  /// Disposes of the instance, all steps of it, whatever fails.
  ///
  /// - Returns: what went wrong; nil when there was no instance any more.
  func run() async -> [any Error]? { runSynchronously() }

  /// The same where nothing suspends.
  func runSynchronously() -> [any Error]? { fatalError("abstract") }
}
