/// A disposal that retains its instance.
///
/// `@unchecked Sendable` like its superclass; its own fields are immutable.
final class InstanceDisposal: BindingDisposal, @unchecked Sendable {
  private let instance: Instance

  /// Creates a disposal.
  ///
  /// - Parameter call: The call of the instance's `dispose`, if this disposal makes it.
  init(_ instance: Instance, _ call: DisposeCall?, of binding: Binding, in lifecycle: Lifecycle) {
    self.instance = instance
    super.init(of: binding, in: lifecycle, call, isSynchronous: call == nil && binding.endsSynchronously)
  }

  override func disposes(of instance: Instance) -> Bool { self.instance.box === instance.box }

  override func run(after outcome: ScopeOutcome) async -> [any Error]? { await dispose(of: instance, after: outcome) }

  override func runSynchronously(after outcome: ScopeOutcome) -> [any Error]? {
    var failures: [any Error] = []
    hook?.perform(instance, after: outcome, &failures)
    return failures
  }
}

/// A disposal of a weakly kept instance, which it does not keep alive. It runs only if the instance is still alive when it is due.
///
/// `@unchecked Sendable` like its superclass; its own fields are immutable, or under a lock.
final class WeakDisposal: BindingDisposal, @unchecked Sendable {
  private let box: WeakBox
  /// The instance, retained once the disposal is due.
  private let held = Lock<Instance?>(nil)

  /// Creates a disposal.
  ///
  /// - Parameter call: The call of the instance's `dispose`, if this disposal makes it.
  init(_ box: WeakBox, _ call: DisposeCall?, of binding: Binding, in lifecycle: Lifecycle) {
    self.box = box
    super.init(of: binding, in: lifecycle, call, isSynchronous: false)
  }

  override var hasObject: Bool { box.object != nil }

  override func retainInstance() { if let instance = box.instance { held.withLock { $0 = instance } } }

  override func releaseInstance() {
    // It may be the last reference, so it is released after the lock.
    _ = held.withLock { exchange(&$0, with: nil) }
  }

  override func run(after outcome: ScopeOutcome) async -> [any Error]? {
    guard let instance = held.withLock({ exchange(&$0, with: nil) }) ?? box.instance else { return nil }
    return await dispose(of: instance, after: outcome)
  }
}
