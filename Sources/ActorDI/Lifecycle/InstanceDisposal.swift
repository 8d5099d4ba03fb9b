/// The end of an instance that a factory has made, which is held until then: what its registration has for it.
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
    await binding.runDisposalHooks(instance, after: outcome)
  }

  final override func runSynchronously(after outcome: ScopeOutcome) -> [any Error]? {
    var failures: [any Error] = []
    for hook in binding.disposalHooks {
      do { try hook.run?(instance, outcome) } catch { failures.append(error) }
    }
    return failures
  }
}

/// … and then what it has to do itself.
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
    var failures = await binding.runDisposalHooks(instance, after: outcome)
    do { try await disposable.dispose(after: outcome) } catch { failures.append(error) }
    return failures
  }
}

/// The end of an instance that is kept weakly: it is not to live on because of this, and somebody may hold it then.
///
/// `@unchecked Sendable` as its superclass; what it adds is immutable, or under a lock.
final class WeakDisposal: BindingDisposal, @unchecked Sendable {
  private let box: WeakBox
  /// The instance, once it is due.
  private let held = Lock<Instance?>(nil)

  /// - Parameter disposable: the object, if it is this that has to call ``Disposable/dispose()``.
  init(of box: WeakBox, _ disposable: (any Disposable)?, _ binding: Binding, in lifecycle: Lifecycle) {
    self.box = box
    super.init(of: binding, in: lifecycle, object: disposable?.objectIdentifier, isSynchronous: false)
  }

  override var hasObject: Bool { box.object != nil }

  override func hold() {
    if let instance = box.instance { held.withLock { $0 = instance } }
  }

  override func run(after outcome: ScopeOutcome) async -> [any Error]? {
    let held = held.withLock { held in
      defer { held = nil }
      return held
    }
    guard let instance = held ?? box.instance else { return nil }
    var failures = await binding.runDisposalHooks(instance, after: outcome)
    guard object != nil, let disposable = instance.anyValue as? any Disposable else { return failures }
    do { try await disposable.dispose(after: outcome) } catch { failures.append(error) }
    return failures
  }
}

extension Binding {
  /// - Returns: what went wrong.
  fileprivate final func runDisposalHooks(_ instance: Instance, after outcome: ScopeOutcome) async -> [any Error] {
    var failures: [any Error] = []
    for hook in disposalHooks {
      do {
        if let runAsync = hook.runAsync {
          try await runAsync(instance, outcome)
        } else {
          try hook.run?(instance, outcome)
        }
      } catch {
        failures.append(error)
      }
    }
    return failures
  }
}

extension Disposable {
  /// Of an object; nil for a value, of which each copy is one of its own.
  var objectIdentifier: ObjectIdentifier? {
    type(of: self) is AnyClass ? ObjectIdentifier(self as AnyObject) : nil
  }
}
