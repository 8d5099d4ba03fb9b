internal import Synchronization

// Decorators wrap the registrations of their own container, and the bindings found in its parents and links. The latter
// stay unchanged for other containers: this registry has a wrapper binding of its own for resolves through its
// container.
extension Registry {
  /// Adds a decorator, which wraps a service's current and later registrations, and its bindings in parents and links.
  mutating func decorate(
    with decorator: Decorator, in snapshot: Snapshot.Address, container: String
  ) throws(ResolutionError) -> Publication {
    try checkNotFrozen(decorator.service, container)
    var change = beginChange(snapshot)
    decorate(with: decorator, &change)
    return finish(change)
  }

  mutating func decorate(with decorator: Decorator, _ change: inout Change) {
    let service = decorator.service.service
    decorators[ObjectIdentifier(service), default: []].append(decorator)
    for (inner, wrapper) in wrappers where wrapper.identity.service == service {
      if let outer = unsafe decorator.wrap(wrapper, in: wrapper.owner) { wrappers[inner] = outer }
    }
    for binding in bindings(of: service) {
      guard let wrapped = unsafe decorator.wrap(binding, in: binding.owner) else { continue }
      exchange(binding, for: wrapped, &change)
    }
  }

  /// Replaces the decorators of the initial registrations. Those of a service stay if the builder states the same ones again.
  mutating func replaceInitialDecorators(by new: [Decorator], _ change: inout Change) {
    let byService = Dictionary(grouping: new) { ObjectIdentifier($0.service.service) }
    let known = decorators.values.joined().filter(\.isInitial)
    var changed: Set<ObjectIdentifier> = []
    for service in Set((known + new).map { ObjectIdentifier($0.service.service) }) {
      let old = decorators[service] ?? []
      let wanted = byService[service] ?? []
      if old.filter(\.isInitial).elementsEqual(wanted, by: { $0.isSame(as: $1) }) { continue }
      change.released.decorators[service] = old
      let all = wanted + old.filter { !$0.isInitial }
      decorators[service] = all.isEmpty ? nil : all
      changed.insert(service)
    }
    if !changed.isEmpty { redecorate(changed, &change) }
  }

  /// Decorates the bindings of services anew, in their order, after the services' decorators have changed.
  private mutating func redecorate(_ services: Set<ObjectIdentifier>, _ change: inout Change) {
    for (inner, wrapper) in wrappers where services.contains(ObjectIdentifier(wrapper.identity.service)) {
      wrappers[inner] = nil
      change.removedWrappers.append(wrapper)
    }
    for binding in bindings where services.contains(ObjectIdentifier(binding.identity.service)) {
      let plain = binding.undecorated
      plain.outer = nil
      let outermost = unsafe decorated(plain, in: plain.owner)
      if outermost !== binding { exchange(binding, for: outermost, &change) }
    }
  }

  /// The outermost of a container's decorators of a binding, or the binding itself if there are none.
  ///
  /// - Parameter container: The container of this registry. The binding may be in another one.
  func decorated(_ binding: Binding, in container: Container) -> Binding {
    decorators(of: binding).reduce(binding) { $1.wrap($0, in: container) ?? $0 }
  }

  func decorators(of binding: Binding) -> [Decorator] { decorators(of: binding.identity.service) }

  func decorators(of service: any Any.Type) -> [Decorator] {
    decorators.isEmpty ? [] : decorators[ObjectIdentifier(service)] ?? []
  }

  /// The wrapper of a binding of another container, created if there is none. Nil if no decorator applies.
  fileprivate mutating func wrap(_ found: Located, for container: Container) -> Binding? {
    let inner = ObjectIdentifier(found.binding)
    if let known = wrappers[inner] { return known }
    let wrapper = decorated(found.binding, in: container)
    if wrapper === found.binding { return nil }
    // If the binding is retired or this container is closed, the wrapper stays unlisted. The caller's resolve then
    // fails or searches again.
    if !found.binding.isRetired.load(ordering: .sequentiallyConsistent) && !container.lifecycle.isClosed {
      wrappers[inner] = wrapper
    }
    return wrapper
  }

  /// The bindings that keep instances of a service, for any arguments: its own, and the decorators around these or
  /// around their aliases.
  mutating func instanceHolders(of identity: ServiceIdentity, in snapshot: Snapshot.Address) -> [Binding] {
    let services = bindingsFound(under: identity, in: snapshot).flatMap(\.withParts).map(\.instanceOwner)
    let around = wrappers.values.filter { wrapper in
      [wrapper, wrapper.undecorated.instanceOwner].contains { $0.identity.isSameService(as: identity) }
    }
    return (services.flatMap(\.withAliases).map(\.outermost) + around).flatMap(\.withParts)
  }

  /// Restores earlier decorators, and removes the wrappers of services whose decorators differ.
  mutating func restore(_ earlier: [ObjectIdentifier: [Decorator]], _ change: inout Change) {
    for (inner, wrapper) in wrappers {
      let service = ObjectIdentifier(wrapper.identity.service)
      let (before, now) = (earlier[service] ?? [], decorators[service] ?? [])
      if before.elementsEqual(now, by: { $0.isSame(as: $1) }) { continue }
      wrappers[inner] = nil
      change.removedWrappers.append(wrapper)
    }
    change.released.decorators = decorators
    decorators = earlier
  }
}

extension Container {
  /// Applies this container's decorators to a binding that was found in another container.
  nonisolated func decorating(_ found: Located) -> Located {
    guard let wrapper = wrapper(of: found) else { return found }
    return Located(binding: wrapper, container: self, decorating: found)
  }

  /// This container's decorators of a service, under any key.
  nonisolated func decorators(of service: any Any.Type) -> [Decorator] {
    hasDecorators ? registry.withLock { $0.decorators(of: service) } : []
  }

  /// The binding of this container that wraps a binding of another one. It stays the same as long as the inner binding
  /// is listed.
  ///
  /// - Returns: nil if no decorator applies.
  private nonisolated func wrapper(of found: Located) -> Binding? {
    let inner = ObjectIdentifier(found.binding)
    let (known, decorators) = registry.withLock { ($0.wrappers[inner], $0.decorators(of: found.binding)) }
    if let known { return known }
    guard decorators.contains(where: { $0.applies(to: found.binding) }) else { return nil }
    // Add the container before the wrapper is listed, and outside the lock. A thread that retires the binding after
    // `wrap` has checked it finds the container here, and removes the wrapper.
    found.binding.extras.decoratingContainers.load(orStore: WeakList()).add(self)
    return registry.withLock { registry in registry.wrap(found, for: self) }
  }

  /// The wrapper of a binding of another container, with its parts in this container.
  fileprivate nonisolated func wrappers(of inner: Binding, removing isGone: Bool) -> [Binding] {
    let inner = ObjectIdentifier(inner)
    let wrapper = registryIfAny?.withLock { isGone ? $0.wrappers.removeValue(forKey: inner) : $0.wrappers[inner] }
    return wrapper?.withParts ?? []
  }
}

extension Binding {
  /// The other containers whose decorators wrap this binding. The looks are in one order with the mark that the binding is retired: see
  /// `Registry.wrap`.
  private var decoratingContainers: [Container] {
    guard lazyExtras.isSet, extras.decoratingContainers.isSet else { return [] }
    return extras.decoratingContainers.load()?.all ?? []
  }

  /// Applies a function to the wrappers that other containers have of this binding and its aliases.
  ///
  /// - Parameter isGone: Whether to remove the wrappers, because lookups no longer find the binding.
  /// - Returns: The results, and the visited containers, whose last references these may be.
  func forEachWrapperElsewhere(
    removing isGone: Bool, _ drop: (Binding) -> [DroppedReference]
  ) -> [DroppedReference] {
    // Most bindings have neither aliases nor wrappers.
    guard lazyExtras.isSet else { return [] }
    return withAliases.flatMap { shown in
      shown.decoratingContainers.flatMap { container in
        container.wrappers(of: shown, removing: isGone).flatMap(drop) + [.owned(container)]
      }
    }
  }
}
