// What builds under overrides teach: see D2 in `OverrideWalk.swift`.
extension Binding {
  /// Notes the requests of a build under overrides, whose instance is not the container's: the next operation then knows
  /// whether its overrides reach the service. The closures of transient services that have run in the build are known from then on, too,
  /// but only these: another operation, or another container, may find other registrations.
  func learn(from attempt: Attempt, under placement: Placement) {
    guard case .inLayer(_, let substitute) = placement else { return }
    let requests = attempt.notes.load().map(\.all) ?? []
    learn(requests)
    guard let requests else { return }
    let context = policy.isBuiltByOwner ? ownContainer : substitute.original
    placement.within {
      for located in unkeptParts(requesting: requests, in: context) where located.binding.mayTakeMore {
        located.binding.learn(requests)
      }
    }
  }

  private func learn(_ requests: [ServiceIdentity]?) {
    // Complete before it is stored: other operations decide by what they find.
    let new = RequestNotes(requests)
    let learned = extras.learned.storeIfNil(new)
    if learned !== new { learned.note(allOf: requests) }
  }

  /// The bindings whose unkept instances a build of this one has made.
  ///
  /// - Parameters:
  ///   - requests: The requests of the build.
  ///   - context: The container whose registrations have built the instance.
  private func unkeptParts(requesting requests: [ServiceIdentity], in context: Container) -> [Located] {
    var parts: [UnkeptPart] = []
    var known: Set<BindingInContext> = []
    func add(_ found: Located, handing key: Key? = nil) {
      let name = BindingInContext(found.binding, context, handedKey: key)
      if found.binding.policy.isKept || !known.insert(name).inserted { return }
      parts.append(UnkeptPart(located: found, handedKey: key))
    }
    func add(_ dependency: Dependency, handing key: Key? = nil) {
      let search = DependencySearch(for: dependency, in: context, asker: id, allowingArguments: true)
      // What is resolved later has not run, and of several candidates only one has.
      if search.isLater || search.needsArguments { return }
      for target in search.targets { add(target, handing: key) }
    }
    func follow(_ binding: Binding, in container: Container, handed: Key? = nil) {
      if let shown = binding.shown(asking: context, in: container) { return add(shown) }
      if binding.isDecorator {
        for inner in binding.wrapped(in: container) { add(inner, handing: handed) }
      }
      let (descriptor, key) = (binding.descriptor, binding.keyToInherit(handed: handed))
      // The notes do not tell the key that a requested service was handed.
      let isKeyKnown = key != nil || !descriptor.traits.contains(.inheritsKey)
      for parameter in isKeyKnown ? descriptor.parameters : [] {
        let (dependency, handedKey) = context.parameter(parameter, inheriting: key, for: binding.id)
        add(dependency, handing: handedKey)
      }
      for dependency in descriptor.furtherDependencies + descriptor.declaredDependencies { add(dependency) }
    }
    for request in requests { add(Dependency(on: request)) }
    unsafe follow(self, in: owner)
    var next = 0
    while next < parts.count {
      follow(parts[next].located.binding, in: parts[next].located.container, handed: parts[next].handedKey)
      next += 1
    }
    return parts.map(\.located)
  }

  /// The requests of all builds under overrides; nil if there was none, or if its requests are unknown. For a service that is not kept,
  /// these are the requests of the builds that have made it.
  var learnedRequests: [ServiceIdentity]? { lazyExtras.load()?.learned.load()?.all }
}

/// A service whose unkept instance a build has made.
private struct UnkeptPart {
  let located: Located
  /// The key that the parameters of its initialiser have inherited; nil for none.
  let handedKey: Key?
}
