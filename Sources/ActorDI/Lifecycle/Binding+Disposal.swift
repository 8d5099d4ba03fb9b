// Listing the disposals of instances that factories make.
extension Binding {
  /// Lists the disposal of a new instance, if it needs one.
  ///
  /// If another disposal will dispose of the object, for example because the factory resolved it, this one does not call its
  /// `dispose()`. The registration's own disposal hooks run in any case.
  ///
  /// - Parameters:
  ///   - container: The container with whose registrations the instance was made. Its lifecycle lists the disposal, or that of the container
  ///     that keeps instances for a layer in its place.
  ///   - placement: The placement of a kept instance.
  /// - Throws: ``ResolutionError/Code/closed`` if the container is closed. The instance is disposed of then.
  func note(
    _ instance: Instance, in container: Container, under placement: Placement = .asCalled
  ) throws -> Disposal? {
    if needsNoDisposal(at: instance.box.memory) { return nil }
    if let keeper = placement.keeperOfEndedLayer { return try list(instance, in: keeper) }
    // Separate calls, because a variable for the container would count a reference to it.
    if OverrideLayer.isAnyInForce { return try list(instance, in: OverrideLayer.substitute(inPlaceOf: container)) }
    return try list(instance, in: container)
  }

  private func list(_ instance: Instance, in container: Container) throws -> Disposal? {
    if let call = disposeCall(on: instance), !container.isGoingToDispose(of: call.object),
      let added = try add(disposal(of: instance, call, in: container.lifecycle), in: container)
    {
      return added
    }
    return disposalHook == nil ? nil : try add(disposal(of: instance, nil, in: container.lifecycle), in: container)
  }

  private func disposal(of instance: Instance, _ call: DisposeCall?, in lifecycle: Lifecycle) -> Disposal {
    if policy.isWeak, let box = WeakBox(instance) {
      return WeakDisposal(box, call, of: self, in: lifecycle)
    }
    return InstanceDisposal(instance, call, of: self, in: lifecycle)
  }

  /// Whether it is known, without an instance, that no instance needs a disposal. True for most registrations.
  // Inlined, because each build asks for it.
  @inline(__always)
  var needsNoDisposal: Bool {
    disposability == .none || (disposalHook == nil && isSettled && disposability != .certain)
  }

  /// Whether it is known that an instance needs no disposal.
  ///
  /// - Parameter memory: The address of the instance, stored as the service's type.
  // Inlined, because each build asks for it.
  @inline(__always)
  func needsNoDisposal(at memory: ServiceMemory) -> Bool {
    // A type known to need no completion after its factory needs no disposal, either.
    needsNoDisposal || (disposalHook == nil && disposability != .certain && isKnownAsComplete(at: memory))
  }

  /// The call of an instance's ``Disposable/dispose()``; nil if it has none. Called only if an instance may need a disposal.
  private func disposeCall(on instance: Instance) -> DisposeCall? {
    func mayBeDisposable<Service>(_ type: Service.Type) -> Bool {
      instance.borrow(as: type) { TypeFacts.of(instance: $0).facts.contains(.isDisposable) }
    }
    // A type known to need no completion after its factory needs no disposal, either.
    let mayHaveOne =
      disposability == .certain
      || !isKnownAsComplete(at: instance.box.memory) && mayBeDisposable(instance.type)
    guard mayHaveOne, let disposable = instance.anyValue as? any Disposable else { return nil }
    return DisposeCall(on: disposable)
  }

  /// Lists a disposal.
  ///
  /// - Returns: Nil if another disposal will dispose of the object.
  func add(_ disposal: consuming Disposal, in container: Container) throws -> Disposal? {
    switch container.lifecycle.add(disposal) {
    case .added:
      if BuildLog.isAnyKept { BuildLog.current?.note(disposal) }
      return disposal
    case .known: return nil
    case .tooLate:
      // The container has disposed of its instances already, so no other thread would run this disposal.
      disposal.lifecycle.activity.beginDisposal()
      [disposal].perform(after: .shutDown, in: DisposalBatch())
      throw ResolutionError.closed(building: identity, in: container)
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
