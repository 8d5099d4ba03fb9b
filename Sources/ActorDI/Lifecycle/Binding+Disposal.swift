// Listing the disposals of instances that factories make.
extension Binding {
  /// Lists the disposal of a new instance, if it needs one.
  ///
  /// If another disposal will dispose of the object, for example because the factory resolved it, this one does not call its
  /// `dispose()`. The registration's own disposal hooks run in any case.
  ///
  /// - Parameter container: The container with whose registrations the instance was made. Its lifecycle lists the disposal.
  /// - Throws: ``ResolutionError/Code/closed`` if the container is closed. The instance is disposed of then.
  @_optimize(speed)
  final func note(_ instance: Instance, in container: Container) throws -> Disposal? {
    if hasNoEnd { return nil }
    // The type alone shows that the instance disposes of nothing itself.
    if isSettled && disposability != .certain && !descriptor.scope.isWeak {
      return try noteEnd(of: instance, in: container)
    }
    let container = OverrideLayer.keeper(inPlaceOf: container)
    let disposable = disposable(instance)
    if disposable == nil && disposalHook == nil { return nil }
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
    guard disposalHook != nil else { return nil }
    if let weakBox { return try add(WeakDisposal(of: weakBox, nil, self, in: container.lifecycle), in: container) }
    return try add(InstanceDisposal(instance, of: self, in: container.lifecycle), in: container)
  }

  /// Whether no instance needs a disposal, as known without looking at one. True for most registrations.
  @inline(__always)
  final var hasNoEnd: Bool {
    disposability == .none || (disposalHook == nil && isSettled && disposability != .certain)
  }

  private final func disposable(_ instance: Instance) -> (any Disposable)? {
    func mayBeDisposable<Service>(_ type: Service.Type) -> Bool {
      instance.borrow(as: type) { TypeFacts.of(instance: $0).facts.contains(.isDisposable) }
    }
    let isAsked =
      switch disposability {
      case .none: false
      case .certain: true
      // A type known to need no completion after its factory needs no disposal, either.
      case .dependsOnInstance:
        unsafe !isKnownAsComplete(at: instance.box.memory) && mayBeDisposable(instance.type)
      }
    return isAsked ? instance.anyValue as? any Disposable : nil
  }
}

extension Binding {
  /// Lists the disposal of a new instance that has only its registration's disposal hooks.
  ///
  /// - Throws: As ``Binding/note(_:in:)``.
  final func noteEnd(of instance: Instance, in container: Container) throws -> Disposal? {
    if OverrideLayer.isAnyInForce { return try addEnd(of: instance, in: OverrideLayer.keeper(inPlaceOf: container)) }
    return try addEnd(of: instance, in: container)
  }

  private final func addEnd(of instance: Instance, in container: Container) throws -> Disposal? {
    try add(InstanceDisposal(instance, of: self, in: container.lifecycle), in: container)
  }

  /// Lists a disposal.
  ///
  /// - Returns: Nil if another disposal will dispose of the object.
  final func add(_ disposal: consuming Disposal, in container: Container) throws -> Disposal? {
    switch container.lifecycle.add(disposal) {
    case .added:
      if BuildLog.isAnyKept { BuildLog.current?.note(disposal) }
      return disposal
    case .known: return nil
    case .tooLate:
      // The container has disposed of its instances already, so no other thread would run this disposal.
      disposal.performInBackground()
      throw ResolutionError(.closed, for: identity, container: container.name)
    }
  }
}

extension Container {
  /// Whether a pending disposal will dispose of an object, in this container or in one that it searches.
  fileprivate nonisolated func isGoingToDispose(of object: ObjectIdentifier?) -> Bool {
    guard let object else { return false }
    return searchOrder.contains { $0.lifecycle.willDispose(of: object) }
  }
}
