internal import Synchronization

// Decorators stand around the registrations of their own container, and around what is found beyond it, in its parents and links: that stays as
// it is for all others, and has a binding here that wraps it for those who ask through this container.
extension Registry {
  /// Wraps a service's registrations, those that stand and those to come, and what is found of it beyond the container.
  mutating func decorate(
    with decorator: Decorator, in snapshot: Snapshot.Address, container: String
  ) throws(ResolutionError) -> Publication {
    try checkNotFrozen(decorator.service, container)
    let service = decorator.service.service
    let standing = bindings(of: service)
    decorators[ObjectIdentifier(service), default: []].append(decorator)
    for (inner, wrapper) in wrappers where wrapper.identity.service == service {
      if let outer = decorator.wrap(wrapper) { wrappers[inner] = outer }
    }
    var change = beginChange(snapshot)
    for binding in standing {
      guard let wrapped = decorator.wrap(binding) else { continue }
      exchange(binding, for: wrapped, &change)
    }
    return finish(change)
  }

  /// A binding with all the decorators of its service around it.
  func decorated(_ binding: Binding) -> Binding {
    decorators(of: binding).reduce(binding) { $1.wrap($0) ?? $0 }
  }

  func decorators(of binding: Binding) -> [Decorator] {
    decorators.isEmpty ? [] : decorators[ObjectIdentifier(binding.identity.service)] ?? []
  }

  /// The wrapper of a binding that was found beyond the container.
  fileprivate mutating func wrap(_ found: Located, for container: Container) -> Binding? {
    let inner = ObjectIdentifier(found.binding)
    if let known = wrappers[inner] { return known }
    var wrapper: Binding?
    for decorator in decorators(of: found.binding) where decorator.applies(to: found.binding) {
      if let inside = wrapper {
        wrapper = decorator.wrap(inside)
      } else {
        wrapper = decorator.wrap(found, in: container)
      }
    }
    guard let wrapper else { return nil }
    container.withholdShortcuts(of: wrapper.withParts)
    // Who has found something that is gone, or asks when all is over, gets one that nobody else will: its resolve fails, or looks again.
    if !found.binding.isRetired.load(ordering: .acquiring) && !container.lifecycle.isClosed {
      wrappers[inner] = wrapper
    }
    return wrapper
  }

  /// What wraps a service of other containers, whatever its arguments.
  func wrappers(of identity: ServiceIdentity) -> [Binding] {
    wrappers.values.filter { $0.identity.service == identity.service && $0.key == identity.key }
  }

  /// The decorators are those of an earlier moment: what others have been put around is not found any more.
  mutating func restore(_ earlier: [ObjectIdentifier: [Decorator]], _ change: inout Change) {
    let changed = wrappers.filter { _, wrapper in
      let service = ObjectIdentifier(wrapper.identity.service)
      return earlier[service]?.count != decorators[service]?.count
    }
    for (inner, wrapper) in changed {
      wrappers[inner] = nil
      change.unwrapped.append(wrapper)
    }
    decorators = earlier
  }
}

extension Container {
  /// What was found beyond this container, with its decorators around it.
  nonisolated func decorating(_ found: Located) -> Located {
    guard let wrapper = wrapper(of: found) else { return found }
    return Located(binding: wrapper, container: self, decorating: found)
  }

  /// The binding of this container for one that stands in another, the same one as long as that stands.
  ///
  /// - Returns: nil where there is nothing to wrap it with.
  private nonisolated func wrapper(of found: Located) -> Binding? {
    let inner = ObjectIdentifier(found.binding)
    let (known, decorators) = registry.withLock { ($0.wrappers[inner], $0.decorators(of: found.binding)) }
    if let known { return known }
    guard decorators.contains(where: { $0.applies(to: found.binding) }) else { return nil }
    // Listed first, and not under the lock: who retires the binding after the look below takes the wrapper along.
    let extras = found.binding.extras
    (extras.decoratedElsewhere.load() ?? extras.decoratedElsewhere.storeIfNil(WeakList())).add(self)
    return registry.withLock { registry in registry.wrap(found, for: self) }
  }

  /// The wrapper of a binding of another container, and what stands behind it here.
  fileprivate nonisolated func wrappers(of inner: Binding, removing isGone: Bool) -> [Binding] {
    let wrapper = existingRegistry?.withLock { registry in
      isGone
        ? registry.wrappers.removeValue(forKey: ObjectIdentifier(inner)) : registry.wrappers[ObjectIdentifier(inner)]
    }
    return wrapper?.withParts ?? []
  }
}

extension Binding {
  /// Applies a function to the wrappers that other containers have made of this binding and of its aliases. Each container is held meanwhile.
  ///
  /// - Parameter isGone: whether the binding is not found any more, and so neither are they.
  final func forEachWrapperElsewhere(
    removing isGone: Bool, _ drop: (Binding) -> [DroppedInstance]
  ) -> [DroppedInstance] {
    // Most have neither.
    guard lazyExtras.load() != nil else { return [] }
    return withForwards.flatMap { shown in
      let containers = shown.lazyExtras.load()?.decoratedElsewhere.load()?.all ?? []
      return containers.flatMap { $0.wrappers(of: shown, removing: isGone).flatMap(drop) }
    }
  }
}
