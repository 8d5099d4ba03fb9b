// Instances that belong to a layer and are disposed of with it.
extension OverrideLayer {
  /// A container that keeps instances for the layer in place of another one, and what is known about the services of the replaced one.
  struct Substitute: Sendable {
    /// The overlay for the overridden container, and a separate container for any other one. Retains the replaced container, so that its
    /// identifier stays unique.
    let container: Container
    /// The decisions about the services that are built with the replaced container's registrations.
    var decisions: [ObjectIdentifier: PlacementDecision] = [:]

    init(_ container: Container) { self.container = container }
  }

  /// The identifier under which a layer keeps the substitute of a container.
  ///
  /// An overlay, of this layer or of one around it, has the substitute of the overridden container. So the services of that container and
  /// those that overrides have put in their place are disposed of together, the last created first, and reset together.
  static func id(of replaced: Container) -> ObjectIdentifier { ObjectIdentifier(replaced.original) }

  /// The container that keeps instances in place of another one; nil if none does.
  private func existingSubstitute(for replaced: Container) -> Container? {
    let id = Self.id(of: replaced)
    return substitutes.withLock { $0?[id]?.container }
  }

  /// The container that keeps instances in place of another one, created on first use; nil if the layer has ended meanwhile.
  ///
  /// The end of the replaced container closes it first, and the layer forgets it then.
  func substitute(for replaced: Container) -> Container? {
    if let known = existingSubstitute(for: replaced) { return known }
    let original = replaced.original
    let new = Container(Substitution(for: original, at: depth) { [weak self] in self?.forget($0) })
    new.listBelow(original)
    let kept = substitutes.withLock { $0?.insert(Substitute(new), ifNoneFor: Self.id(of: original)).container }
    // The replaced container may have ended before the layer kept the substitute.
    if let kept, kept.lifecycle.hasEnded { forget(kept) }
    return kept
  }

  /// Forgets a substitute that has ended with the container that it replaces.
  private func forget(_ substitute: Container) {
    let id = Self.id(of: substitute)
    // Released after the lock.
    _ = substitutes.withLock { all in
      all?[id]?.container === substitute ? all?.removeValue(forKey: id) : nil
    }
  }

  /// Takes the containers that keep instances for the layer. It keeps none from now on.
  ///
  /// - Returns: The containers in the order in which they are to be closed: those that replace containers that search others, such as
  ///   children, before those that replace the others.
  func takeSubstitutes() -> [Container] {
    let all = substitutes.withLock { exchange(&$0, with: nil) } ?? [:]
    let ranked = all.values.map { (container: $0.container, rank: $0.container.searchOrder.count { _ in true }) }
    return ranked.sorted { $0.rank > $1.rank }.map(\.container)
  }

  /// The container that disposes of instances made with a container's registrations, for the calling task.
  static func substitute(inPlaceOf container: Container) -> Container {
    for layer in inForce where layer.concerns(container) {
      if let substitute = layer.substitute(for: container) { return substitute }
    }
    return container
  }

  /// The containers in which layers in force keep instances in place of a container, those of the innermost layer first.
  static func substitutesInForce(for container: Container) -> [Container] {
    inForce.compactMap { $0.existingSubstitute(for: container) }
  }

  // MARK: Injected properties

  /// The value of an injected property under a layer that is newer than the property. The property itself keeps the value that
  /// the real container provided.
  struct Shadow: Sendable {
    /// Retained, so that its identifier stays unique.
    let property: any AnyObject & Sendable
    let storage: any AnyObject & Sendable
  }

  /// The storage that replaces a property's own storage under the layer, created on first access; the property's own one if the
  /// layer has ended meanwhile.
  func shadow<Storage: AnyObject & Sendable>(of property: Storage, orMake make: () -> Storage) -> Storage {
    let id = ObjectIdentifier(property)
    if let known = shadows.withLock({ $0?[id] })?.storage as? Storage { return known }
    let new = Shadow(property: property, storage: make())
    let kept = shadows.withLock { $0?.insert(new, ifNoneFor: id) }
    return kept?.storage as? Storage ?? property
  }
}

extension Dictionary {
  /// Inserts a value unless the key has one.
  ///
  /// - Returns: The value that the dictionary has for the key.
  fileprivate mutating func insert(_ new: Value, ifNoneFor key: Key) -> Value {
    if let known = self[key] { return known }
    self[key] = new
    return new
  }
}
