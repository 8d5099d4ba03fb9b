/// The end of an instance that a factory has made.
///
/// `@unchecked Sendable` as its superclass; what it adds is immutable.
final class InstanceDisposal: Disposal, @unchecked Sendable {
  /// An instance, and what to call at its end, if it wants that.
  struct Target: Sendable {
    let instance: Instance
    let disposable: (any Disposable)?
  }

  /// Nil for what is kept weakly, which is not to live on because of this.
  private let target: Target?
  private let weakTarget: (@Sendable () -> Target?)?

  /// The end of an instance that is held until then.
  init(_ target: Target, of binding: Binding, in lifecycle: Lifecycle) {
    self.target = target
    weakTarget = nil
    super.init(
      of: binding, in: lifecycle, object: target.disposable?.objectIdentifier,
      isSynchronous: target.disposable == nil && binding.disposalHooks.allSatisfy { $0.run != nil })
  }

  /// The end of an instance that somebody else may hold until then.
  init(weakly target: @escaping @Sendable () -> Target?, of binding: Binding, in lifecycle: Lifecycle) {
    self.target = nil
    weakTarget = target
    super.init(of: binding, in: lifecycle, object: nil, isSynchronous: false)
  }

  override func run() async -> [any Error]? {
    guard let target = target ?? weakTarget?() else { return nil }
    var failures: [any Error] = []
    for hook in binding.disposalHooks {
      do {
        if let runAsync = hook.runAsync {
          try await runAsync(target.instance)
        } else {
          try hook.run?(target.instance)
        }
      } catch {
        failures.append(error)
      }
    }
    do { try await target.disposable?.dispose() } catch { failures.append(error) }
    return failures
  }

  override func runSynchronously() -> [any Error]? {
    guard let target else { return nil }
    var failures: [any Error] = []
    for hook in binding.disposalHooks {
      do { try hook.run?(target.instance) } catch { failures.append(error) }
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
