// What factories make, noted to be disposed of.
extension Binding {
  /// Notes what a factory has made, if it has to be disposed of.
  ///
  /// An object that something else will dispose of, since the factory has got it from there, is left to that; the registration's own
  /// closures run all the same.
  ///
  /// - Parameter container: whose registrations it was made with: it is that one's to dispose of.
  /// - Throws: ``ResolutionError/Code/closed`` when it is too late; it has been disposed of then.
  final func note(_ instance: Instance, in container: Container) throws -> Disposal? {
    if hasNoEnd { return nil }
    // What has no end of its own, as its type tells.
    if isSettled && disposability != .certain && !descriptor.scope.isWeak {
      return try noteEnd(of: instance, in: container)
    }
    let container = OverrideLayer.keeper(inPlaceOf: container)
    let disposable = disposable(instance)
    if disposable == nil && disposalHooks.isEmpty { return nil }
    let weakBox = descriptor.scope.isWeak ? WeakBox(instance) : nil
    if let disposable, !container.isGoingToDispose(of: disposable.objectIdentifier) {
      let disposal: BindingDisposal =
        if let weakBox {
          WeakDisposal(of: weakBox, disposable, self, in: container.lifecycle)
        } else {
          DisposableDisposal(instance, disposable, of: self, in: container.lifecycle)
        }
      if let added = try add(disposal, in: container) { return added }
    }
    guard !disposalHooks.isEmpty else { return nil }
    if let weakBox { return try add(WeakDisposal(of: weakBox, nil, self, in: container.lifecycle), in: container) }
    return try add(InstanceDisposal(instance, of: self, in: container.lifecycle), in: container)
  }

  /// Whether it is known without a look at an instance that there is nothing to dispose of: so with most.
  @inline(__always)
  final var hasNoEnd: Bool {
    disposability == .none || (disposalHooks.isEmpty && isSettled && disposability != .certain)
  }

  private final func disposable(_ instance: Instance) -> (any Disposable)? {
    func mayBeDisposable<Service>(_ type: Service.Type) -> Bool {
      instance.lend(as: type) { TypeFacts.of(instance: $0).facts.contains(.isDisposable) }
    }
    let isAsked =
      switch disposability {
      case .none: false
      case .certain: true
      // What is known to have nothing to do after its factory has nothing to do at its end, either.
      case .dependsOnInstance:
        unsafe !isKnownAsComplete(at: instance.box.memory) && mayBeDisposable(instance.type)
      }
    return isAsked ? instance.anyValue as? any Disposable : nil
  }
}

extension Binding {
  /// Notes what a factory has made whose end is a matter of the registration alone.
  ///
  /// - Throws: as ``Binding/note(_:in:)``.
  final func noteEnd(of instance: Instance, in container: Container) throws -> Disposal? {
    let container = OverrideLayer.keeper(inPlaceOf: container)
    return try add(InstanceDisposal(instance, of: self, in: container.lifecycle), in: container)
  }

  /// - Returns: nil when something else will dispose of the object.
  final func add(_ disposal: consuming Disposal, in container: Container) throws -> Disposal? {
    switch container.lifecycle.add(disposal) {
    case .added:
      if BuildLog.isAnyKept { BuildLog.current?.note(disposal) }
      return disposal
    case .known: return nil
    case .tooLate:
      // The container has done with its own: nobody else knows of this one.
      disposal.performInBackground()
      throw ResolutionError(.closed, for: identity, container: container.name)
    }
  }
}

extension Container {
  /// Whether something else, here or in a container that this one looks in, will dispose of the same object.
  fileprivate nonisolated func isGoingToDispose(of object: ObjectIdentifier?) -> Bool {
    guard let object else { return false }
    return searchOrder.contains { $0.lifecycle.willDispose(of: object) }
  }
}
