/// Whether instances conform to ``Disposable``.
enum Disposability: Sendable {
  /// They are not the container's to dispose of: another registration makes them, or the user.
  case none
  /// They do: the service's type says so.
  case certain
  /// Each instance has to be asked.
  case dependsOnInstance

  init<Service>(of service: Service.Type, isMadeElsewhere: Bool) {
    if isMadeElsewhere {
      self = .none
    } else {
      self = service is any Disposable.Type ? .certain : .dependsOnInstance
    }
  }
}

extension ServiceBinding {
  /// Notes what a factory has made, if it has to be disposed of.
  ///
  /// An object that something else will dispose of, since the factory has got it from there, is left to that.
  ///
  /// - Parameter container: whose registrations it was made with: it is that one's to dispose of.
  /// - Throws: ``ResolutionError/Code/closed`` when it is too late; it has been disposed of then.
  func note(_ box: Box<Service>, in container: Container) throws -> Disposal? {
    let isDisposable = isDisposable(box.value)
    guard isDisposable || !hooks.disposal.isEmpty, disposability != .none else { return nil }
    let lifecycle = container.lifecycle
    let disposal = InstanceDisposal(box, of: self, in: lifecycle, isDisposable: isDisposable)
    if let object = disposal.object, container.isGoingToDispose(of: object) { return nil }
    switch lifecycle.add(disposal) {
    case .added: return disposal
    case .known: return nil
    case .tooLate:
      // The container has done with its own: nobody else knows of this one.
      disposal.performInBackground()
      throw ResolutionError(.closed, for: identity, container: container.name)
    }
  }

  private func isDisposable(_ service: Service) -> Bool {
    switch disposability {
    case .none: false
    case .certain: true
    // What is known to have nothing to do after its factory has nothing to do at its end, either.
    case .dependsOnInstance: !isKnownAsComplete(service) && service is any Disposable
    }
  }
}

extension Container {
  /// Whether something that this container can see will dispose of an object.
  fileprivate nonisolated func isGoingToDispose(of object: ObjectIdentifier) -> Bool {
    searchOrder.contains { $0.lifecycle.willDispose(of: object) }
  }
}
