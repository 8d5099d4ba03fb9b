/// A disposal that retains its instance, and runs the registration's disposal hooks.
///
/// `@unchecked Sendable` as its superclass; what it adds is immutable.
class InstanceDisposal: BindingDisposal, @unchecked Sendable {
  let instance: Instance

  convenience init(_ instance: Instance, of binding: Binding, in lifecycle: Lifecycle) {
    self.init(
      instance, of: binding, in: lifecycle, object: nil, isSynchronous: binding.endsSynchronously)
  }

  fileprivate init(
    _ instance: Instance, of binding: Binding, in lifecycle: Lifecycle, object: ObjectIdentifier?, isSynchronous: Bool
  ) {
    self.instance = instance
    super.init(of: binding, in: lifecycle, object: object, isSynchronous: isSynchronous)
  }

  final override func isEnd(of instance: Instance) -> Bool { self.instance.box === instance.box }

  override func run(after outcome: ScopeOutcome) async -> [any Error]? {
    await hook?.perform(instance, after: outcome) ?? []
  }

  final override func runSynchronously(after outcome: ScopeOutcome) -> [any Error]? {
    var failures: [any Error] = []
    hook?.perform(instance, after: outcome, &failures)
    return failures
  }
}

/// A disposal that retains its instance, runs the registration's disposal hooks, and then calls the instance's `dispose`.
///
/// `@unchecked Sendable` as its superclass; what it adds is immutable.
final class DisposableDisposal: InstanceDisposal, @unchecked Sendable {
  private let disposable: any Disposable

  init(_ instance: Instance, _ disposable: any Disposable, of binding: Binding, in lifecycle: Lifecycle) {
    self.disposable = disposable
    super.init(
      instance, of: binding, in: lifecycle, object: disposable.objectIdentifier, isSynchronous: false)
  }

  override func run(after outcome: ScopeOutcome) async -> [any Error]? {
    var failures = await hook?.perform(instance, after: outcome) ?? []
    do { try await disposable.dispose(after: outcome) } catch { failures.append(error) }
    return failures
  }
}

/// A disposal of a weakly kept instance, which it does not keep alive. It runs only if the instance is still alive when it is due.
///
/// `@unchecked Sendable` as its superclass; what it adds is immutable, or under a lock.
final class WeakDisposal: BindingDisposal, @unchecked Sendable {
  private let box: WeakBox
  /// The instance, retained once the disposal is due.
  private let held = Lock<Instance?>(nil)

  /// Creates a disposal.
  ///
  /// - Parameter disposable: The object, if this disposal has to call its ``Disposable/dispose()``.
  init(of box: WeakBox, _ disposable: (any Disposable)?, _ binding: Binding, in lifecycle: Lifecycle) {
    self.box = box
    super.init(of: binding, in: lifecycle, object: disposable?.objectIdentifier, isSynchronous: false)
  }

  override var hasObject: Bool { box.object != nil }

  override func hold() {
    if let instance = box.instance { held.withLock { $0 = instance } }
  }

  override func run(after outcome: ScopeOutcome) async -> [any Error]? {
    guard let instance = held.withLock({ exchange(&$0, with: nil) }) ?? box.instance else { return nil }
    var failures = await hook?.perform(instance, after: outcome) ?? []
    guard object != nil, let disposable = instance.anyValue as? any Disposable else { return failures }
    do { try await disposable.dispose(after: outcome) } catch { failures.append(error) }
    return failures
  }
}

extension Disposable {
  /// The identity of an object; nil for a value, since each copy of a value is separate.
  var objectIdentifier: ObjectIdentifier? {
    type(of: self) is AnyClass ? ObjectIdentifier(self as AnyObject) : nil
  }
}
