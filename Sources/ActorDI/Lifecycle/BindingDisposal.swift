/// The end of an instance of a registration.
///
/// `@unchecked Sendable` as its superclass; what it adds is immutable.
class BindingDisposal: Disposal, @unchecked Sendable {
  /// The registration of what is to be disposed of.
  let binding: Binding

  init(
    of binding: Binding, in lifecycle: Lifecycle, object: ObjectIdentifier?,
    isSynchronous: Bool
  ) {
    self.binding = binding
    super.init(in: lifecycle, object: object, isSynchronous: isSynchronous)
  }

  // MARK: Running it

  final override func perform(after outcome: ScopeOutcome) async -> [ShutdownError.Failure] {
    guard let container = lifecycle.container else { return [] }
    let work = Work(container)
    defer { work.end() }
    let errors = await Self.$works.withValue(Self.works + [work]) { await told(after: outcome) }
    return errors.map { failure(.failed($0)) }
  }

  final override func performSynchronously(after outcome: ScopeOutcome, _ failures: inout [ShutdownError.Failure]) {
    let errors =
      BuildObservation.isPossible ? toldSynchronously(after: outcome) : runSynchronously(after: outcome) ?? []
    for error in errors { failures.append(failure(.failed(error))) }
  }

  /// Whether it is the end of an instance, to be told of.
  var isTold: Bool { true }

  final override func told(after outcome: ScopeOutcome) async -> [any Error] {
    let container = lifecycle.container
    let began = isTold ? container?.observedNow : nil
    guard let errors = await run(after: outcome) else { return [] }
    container?.emitDisposal(of: binding, since: began, error: errors.first)
    return errors
  }

  @inline(never)
  final override func toldSynchronously(after outcome: ScopeOutcome) -> [any Error] {
    let container = lifecycle.container
    let began = isTold ? container?.observedNow : nil
    guard let errors = runSynchronously(after: outcome) else { return [] }
    container?.emitDisposal(of: binding, since: began, error: errors.first)
    return errors
  }

  final override func failure(_ reason: ShutdownError.Reason) -> ShutdownError.Failure {
    ShutdownError.Failure(binding.identity, in: lifecycle.owner?.name ?? "", reason)
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
  func run(after outcome: ScopeOutcome) async -> [any Error]? { runSynchronously(after: outcome) }

  /// The same where nothing suspends.
  func runSynchronously(after outcome: ScopeOutcome) -> [any Error]? { fatalError("abstract") }
}
