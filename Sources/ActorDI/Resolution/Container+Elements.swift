// The elements of a collection, `[T]` or `[Key: T]`: registrations of the asked container, its links and its parents.
extension Container {
  /// The bindings of a collection's elements, in order of registration; those of parents and links come first. With a key, only the
  /// bindings of that key.
  ///
  /// A registration hides the registrations under its key that are earlier, or in farther containers. An alias hides only the same alias
  /// of the same registration. The asking binding is left out and hides nothing, because a composite is made of all other bindings. If
  /// its instance exists, because a hook asks that is no injection, only the decorators that wait for it are left out.
  ///
  /// - Parameters:
  ///   - collection: Selects the bindings by their keys.
  ///   - asker: The binding that asks; nil for a call from outside.
  nonisolated func elements(
    of identity: ServiceIdentity, in collection: any CollectionType.Type, for asker: Asker? = nil
  ) -> [Located] {
    /// Whether a binding is an element unless another one hides it.
    func isElement(_ binding: Binding) -> Bool {
      binding.descriptor.identity.signature == identity.signature
        && (identity.key == nil || binding.key == identity.key) && collection.holds(binding.key)
    }
    // Nearest container first, and within a container the latest registration first.
    var found = VisibleElements(hasEachKeyOnce: collection.hasEachKeyOnce)
    func search(_ container: Container, _ decorated: (Located) -> Located = { $0 }) {
      // A container that closes lists its registrations until their disposers have run (L1).
      if container.lifecycle.isClosed { return }
      let bindings = container.ownBindings(of: identity.service)
      for index in bindings.indices.reversed() where isElement(bindings[index]) && !found.hides(bindings[index]) {
        let element = decorated(Located(binding: bindings[index], container: container))
        // Judged with its decorators, which may be those of a nearer container.
        if let asker, element.binding.isLeftOut(for: asker, asking: self) { continue }
        found.append(element)
      }
    }
    // The innermost overlay first. It decorates what is found behind it.
    var overlays: [Container] = []
    func overridden(_ located: Located) -> Located { overlays.reversed().reduce(located) { $1.decorating($0) } }
    for overlay in OverrideLayer.overlays(for: self) {
      search(overlay, overridden)
      if overlay.hasDecorators { overlays.append(overlay) }
    }
    let overlaid = found.all.count
    var parts: [Part] = []
    var order = searchOrder
    while let container = order.next() {
      let start = found.all.count
      search(container) { overridden(order.decorated($0)) }
      parts.append(Part(container: container, range: start..<found.all.count))
    }
    // Without links, the search has visited the containers in the opposite order.
    guard order.hasMetLinks else { return found.reversed() }
    var listed: [Located] = []
    list(found.all, &parts, into: &listed)
    return listed + found.all[..<overlaid].reversed()
  }

  /// The elements that are registered in one container.
  private struct Part {
    let container: Container
    /// The range of the elements among all found ones.
    let range: Range<Int>
  }

  /// Lists the elements of this container after those of its parents and links. Each container is listed once.
  private nonisolated func list(_ found: [Located], _ parts: inout [Part], into listed: inout [Located]) {
    // Removed before the linked containers are visited, so that circular links end here.
    guard let index = parts.firstIndex(where: { $0.container === self }) else { return }
    let part = parts.remove(at: index)
    parent?.list(found, &parts, into: &listed)
    for link in links { link.list(found, &parts, into: &listed) }
    listed += found[part.range].reversed()
  }

  /// The elements of the collection that a dependency asks for; empty if it asks for a single service.
  nonisolated func elements(of dependency: Dependency, for asker: BindingID? = nil) -> [Located] {
    dependency.collection.map { elements(of: dependency.identity, in: $0, for: asker.map { Asker(binding: $0) }) } ?? []
  }
}

/// The binding whose factory or hook asks for a collection.
struct Asker {
  let binding: BindingID
  /// Whether its instance exists, because one of its hooks asks that is no injection. An injection asks on behalf of an instance that is
  /// still incomplete, such as a composite.
  var hasInstance = false
}

/// Elements, the nearest and latest first, which hide others.
private struct VisibleElements {
  let hasEachKeyOnce: Bool
  private(set) var all: [Located] = []
  /// The roles of the elements, if they are too many to compare with each.
  private var roles: Set<Binding.Role> = []

  init(hasEachKeyOnce: Bool) { self.hasEachKeyOnce = hasEachKeyOnce }

  private static var fewEnoughToScan: Int { 16 }

  private func role(of binding: Binding) -> Binding.Role { hasEachKeyOnce ? binding.roleOfRegistration : binding.role }

  func hides(_ binding: Binding) -> Bool {
    guard all.count > Self.fewEnoughToScan else {
      for index in all.indices where hides(binding, behind: all[index].binding) { return true }
      return false
    }
    return roles.contains(role(of: binding)) || roles.contains(binding.roleOfRegistration)
  }

  private func hides(_ binding: Binding, behind nearer: Binding) -> Bool {
    guard binding.descriptor.identity.isSame(as: nearer.descriptor.identity) else { return false }
    if hasEachKeyOnce { return true }
    guard let other = nearer.undecorated.primary else { return true }
    guard let primary = binding.undecorated.primary else { return false }
    return primary === other || primary.descriptor.identity.isSame(as: other.descriptor.identity)
  }

  /// The elements in the opposite order.
  consuming func reversed() -> [Located] {
    for index in 0..<all.count / 2 { all.swapAt(index, all.count - 1 - index) }
    return all
  }

  mutating func append(_ element: Located) {
    if all.isEmpty { all.reserveCapacity(4) }
    all.append(element)
    guard all.count > Self.fewEnoughToScan else { return }
    for element in roles.isEmpty ? all : [element] { roles.insert(role(of: element.binding)) }
  }
}

extension Binding {
  /// Whether a collection that another binding asks for leaves this one out, because it waits for the other one's instance.
  ///
  /// - Parameters:
  ///   - asker: The binding that asks.
  ///   - container: The container that the caller resolves from.
  fileprivate func isLeftOut(for asker: Asker, asking container: Container) -> Bool {
    (isDecorator || !asker.hasInstance) && makers(asking: container).contains(asker.binding)
  }

  /// The bindings that make the instance of this one: itself, and those behind it.
  ///
  /// - Parameter container: The container that the caller resolves from.
  func makers(asking container: Container) -> [BindingID] {
    var makers = [id] + wrapped.flatMap { $0.makers(asking: container) }
    guard let primary else { return makers }
    makers += primary.makers(asking: container)
    guard let active = primary.activeOverride(asking: container) else { return makers }
    return makers + withExtendedLifetime(active) { active.binding.makers(asking: container) }
  }
}
