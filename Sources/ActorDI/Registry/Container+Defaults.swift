// A default belongs to the outermost parent of the container that is asked. It is placed there when something first needs to know it, so
// that all analysis sees one binding, and listed by the first resolve that finds no other registration.
extension Container {
  /// Registers the default of an identity's token, unless another thread has done so. A container that drains registers nothing any more;
  /// its remaining callers find the default as it is placed, see ``withdrawnDefault(of:)``.
  ///
  /// - Returns: Whether to search again: the default has the identity, run-time arguments included. The search finds it, unless another
  ///   thread has removed it again. False if the token has no default.
  /// - Throws: ``ResolutionError/Code/closed`` if the outermost parent is closed; ``ResolutionError/Code/cycle`` as
  ///   ``placeDefault(of:)``.
  @discardableResult
  nonisolated func registerDefault(toFind identity: ServiceIdentity) throws(ResolutionError) -> Bool {
    guard let placed = try placeDefault(of: identity) else { return false }
    let root = placed.container
    do {
      try root.change { registry, snapshot throws(ResolutionError) in
        try registry.addDefault(placed.binding, to: snapshot, container: root.name)
      }
    } catch {
      guard root.hasWithdrawnRegistry else { throw error }
    }
    return placed.binding.identity.isSame(as: identity)
  }

  /// The default of an identity's token that is placed in this container, if the container drains and can list it no more.
  nonisolated func withdrawnDefault(of identity: ServiceIdentity) -> Binding? {
    guard hasWithdrawnRegistry, identity.defaultRegistration != nil else { return nil }
    return registry.withLock { $0.withdrawnDefault(of: identity) }
  }

  /// Places the default of an identity's token in the outermost parent, unless it is placed there. Runs user code: the token's closure.
  ///
  /// - Returns: The placed binding, which is not listed; nil if the token has no default.
  /// - Throws: ``ResolutionError/Code/cycle`` if the token's closure needs the default that it makes.
  nonisolated func placeDefault(of identity: ServiceIdentity) throws(ResolutionError) -> Located? {
    guard let registration = identity.defaultRegistration, let key = identity.key else { return nil }
    let root = outermostParent
    let name = identity.withoutArguments
    if let placed = root.registry.withLock({ $0.defaults[name] }) { return Located(binding: placed, container: root) }
    var binding = try DefaultInPlacement(name: name, root: ObjectIdentifier(root)).run {
      registration.binding(under: key)
    }
    if let fault = binding.faultAsDefault ?? binding.fault(defaultScope: root.settings.defaultScope) {
      binding = binding.failing(with: fault)
    }
    Binding.place(&binding, in: root, isInitial: false)
    for shown in [binding.innermost] + binding.aliases { shown.noteTokenDefault() }
    let new = binding
    let placed = root.registry.withLock { registry in
      let placed = registry.defaults[name] ?? new
      registry.defaults[name] = placed
      return placed
    }
    if placed !== new { new.dropAliases() }
    return Located(binding: placed, container: root)
  }

  private nonisolated var outermostParent: Container {
    var outermost = self
    while let parent = outermost.parent { outermost = parent }
    return outermost
  }
}

/// A default of a token whose closure is running, to make the registration for an outermost parent.
private struct DefaultInPlacement: Equatable {
  let name: ServiceIdentity
  let root: ObjectIdentifier

  /// The running closures of each thread, by the address of its record, outermost first.
  ///
  /// By thread and not by task: a closure is synchronous, so whatever it calls runs on its thread, and a task that it starts does not.
  private static let ofThreads = Lock<[UInt: [DefaultInPlacement]]>([:])

  /// Runs the closure.
  ///
  /// - Throws: ``ResolutionError/Code/cycle`` if the same closure is running for the same container on the calling thread.
  func run(_ makeBinding: () -> Binding) throws(ResolutionError) -> Binding {
    let thread = ThreadRecordPointer.current.address
    let outer = Self.ofThreads.withLock { $0[thread] ?? [] }
    if outer.contains(self) {
      let path = (outer + [self]).map(\.name)
      throw ResolutionError(
        .cycle, for: name, path: path,
        note:
          "The closure of the token needs the registration that it makes. Resolve in the factory of that registration instead."
      )
    }
    Self.ofThreads.withLock { $0[thread] = outer + [self] }
    defer { Self.ofThreads.withLock { $0[thread] = outer.isEmpty ? nil : outer } }
    return makeBinding()
  }
}

extension Binding {
  /// The fault of a registration that cannot be the default of a token; nil if it can.
  fileprivate var faultAsDefault: ResolutionError? {
    guard hasConditions else { return nil }
    return invalid(
      "It has a condition, but the default of a token is registered whenever no other registration is found: "
        + "remove when(_:), or choose between registrations in the closure of the token.")
  }
}

extension Registry {
  /// The placed default of an identity, with the container's decorators, which a listed one would have.
  fileprivate mutating func withdrawnDefault(of identity: ServiceIdentity) -> Binding? {
    guard let index = defaults.index(forKey: identity.withoutArguments) else { return nil }
    let placed = defaults.values[index]
    guard placed.identity.isSame(as: identity) else { return nil }
    // Decorated once, so that all callers get one instance.
    if placed === placed.undecorated { defaults.values[index] = unsafe decorated(placed, in: placed.owner) }
    return defaults.values[index]
  }

  /// Lists the default of a token, even in a frozen registry. If another thread has listed a registration since the caller's search, the
  /// default is unused.
  ///
  /// - Returns: Nil if another thread has listed or dropped the default since then.
  fileprivate mutating func addDefault(
    _ binding: Binding, to snapshot: Snapshot.Address, container: String
  ) throws(ResolutionError) -> Publication? {
    if isWithdrawn { throw ResolutionError(.closed, for: binding.identity, container: container) }
    guard let index = defaults.firstIndex(where: { $0.value === binding }) else { return nil }
    defaults.remove(at: index)
    var change = beginChange(snapshot)
    change.draft.reserve(room(forBatchOf: 1))
    add(binding, &change)
    return finish(change)
  }
}

extension ServiceIdentity {
  /// The name of the default of the identity's token, which may take run-time arguments.
  fileprivate var withoutArguments: ServiceIdentity { ServiceIdentity(service: service, key: key, word: word) }
}
