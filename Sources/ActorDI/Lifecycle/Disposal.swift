internal import Synchronization

/// That an instance has to be disposed of: once, by whoever takes this out of its container's list.
///
/// `@unchecked Sendable` as its superclass; what it adds is immutable.
class Disposal: LinkedElement, @unchecked Sendable {
  /// What is to be disposed of, for errors and events.
  let identity: ServiceIdentity

  /// When the instance was created, among all in the process: what is created later is disposed of earlier.
  let number: UInt64

  /// The object that ``Disposable/dispose()`` is called on, if it is one that is held strongly: nobody else is to do that.
  let object: ObjectIdentifier?

  /// Whether nothing of it suspends.
  let isSynchronous: Bool

  /// In whose list it stands. Unowned, since that holds this; whoever takes it out holds the container.
  unowned let lifecycle: Lifecycle

  private static let lastNumber = Atomic<UInt64>(0)

  init(
    of identity: ServiceIdentity, in lifecycle: Lifecycle, object: ObjectIdentifier?,
    isSynchronous: Bool
  ) {
    self.identity = identity
    number = Self.lastNumber.add(1, ordering: .relaxed).newValue
    self.object = object
    self.isSynchronous = isSynchronous
    self.lifecycle = lifecycle
  }

  // MARK: Running it

  /// Disposes of the instance, for whoever has taken this out of the list.
  ///
  /// - Returns: what went wrong.
  final func perform() async -> [ShutdownError.Failure] {
    guard let container = lifecycle.container else { return [] }
    let work = Work(container)
    defer { work.end() }
    return await Self.$works.withValue(Self.works + [work]) { await run() }.map { failure(.failed($0)) }
  }

  /// The same where nothing suspends.
  final func performSynchronously() -> [ShutdownError.Failure] {
    runSynchronously().map { failure(.failed($0)) }
  }

  /// Disposes of an instance that came too late for any list.
  final func performInBackground() {
    if isSynchronous {
      _ = performSynchronously()
    } else {
      // With the container, which is not to go before.
      Task.detached { [container = lifecycle.container] in
        _ = await self.perform()
        withExtendedLifetime(container) {}
      }
    }
  }

  final func failure(_ reason: ShutdownError.Reason) -> ShutdownError.Failure {
    ShutdownError.Failure(identity, in: lifecycle.container?.name ?? "", reason)
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
  func run() async -> [any Error] { runSynchronously() }

  /// The same where nothing suspends.
  func runSynchronously() -> [any Error] { fatalError("abstract") }
}

/// The end of an instance that a factory has made.
///
/// `@unchecked Sendable` as its superclass; what it adds is immutable.
final class InstanceDisposal<Service>: Disposal, @unchecked Sendable {
  private let binding: ServiceBinding<Service>
  /// One of the two: what is kept weakly is not to live on because of this.
  private let box: Box<Service>?
  private let weakBox: WeakBox<Service>?
  private let isDisposable: Bool

  init(
    _ box: Box<Service>, of binding: ServiceBinding<Service>, in lifecycle: Lifecycle,
    isDisposable: Bool
  ) {
    let object = isDisposable || binding.descriptor.scope.isWeak ? WeakBox.object(of: box.value) : nil
    let isWeak = binding.descriptor.scope.isWeak && object != nil
    self.binding = binding
    self.box = isWeak ? nil : box
    weakBox = isWeak ? WeakBox(box.value) : nil
    self.isDisposable = isDisposable
    super.init(
      of: binding.identity, in: lifecycle,
      object: isDisposable && !isWeak ? object.map(ObjectIdentifier.init) : nil,
      isSynchronous: !isDisposable && binding.hooks.disposal.allSatisfy { $0.run != nil })
  }

  override func run() async -> [any Error] {
    guard let box = living else { return [] }
    var failures: [any Error] = []
    for hook in binding.hooks.disposal {
      do {
        if let runAsync = hook.runAsync { try await runAsync(box) } else { try hook.run?(box.value) }
      } catch {
        failures.append(error)
      }
    }
    guard isDisposable, let disposable = box.value as? any Disposable else { return failures }
    do { try await disposable.dispose() } catch { failures.append(error) }
    return failures
  }

  override func runSynchronously() -> [any Error] {
    guard let box = living else { return [] }
    var failures: [any Error] = []
    for hook in binding.hooks.disposal {
      do { try hook.run?(box.value) } catch { failures.append(error) }
    }
    return failures
  }

  private var living: Box<Service>? { box ?? weakBox?.value.map { Box($0) } }
}
