// Errors of a resolve, with the chain of requests that led to them.
extension ResolutionError {
  /// The error for a dependency cycle.
  ///
  /// - Parameter cycle: The services of the cycle, beginning with the one that the chain asks for.
  static func cycle(_ cycle: [ServiceIdentity], _ chain: Chain) -> ResolutionError {
    let path = chain.path(closing: cycle)
    return ResolutionError(.cycle, for: path.last, path: path)
  }

  static func asyncRequired(_ identity: ServiceIdentity, _ chain: Chain) -> ResolutionError {
    ResolutionError(.asyncRequired, for: identity, path: chain.path + [identity])
  }

  // Not inlined: its frame would become part of that of each build, and builds are nested.
  @inline(never)
  static func closed(_ identity: ServiceIdentity, _ chain: Chain, in owner: (any LifecycleOwner)?) -> ResolutionError {
    ResolutionError(.closed, for: identity, path: chain.path + [identity], container: owner?.name)
  }

  /// The error for a service whose container was closed while the running code built the service.
  static func closed(building identity: ServiceIdentity, in container: Container) -> ResolutionError {
    var path = Resolver.chainOfCaller(makingAttempts: false).path
    if path.last?.isSame(as: identity) != true { path.append(identity) }
    return ResolutionError(.closed, for: identity, path: path, container: container.name)
  }

  static func scopeNotFound(_ binding: Binding, asking container: Container, _ chain: Chain) -> ResolutionError {
    let names = sequence(first: container, next: \.parent).map { "\"\($0.name)\"" }
    return ResolutionError(
      .scopeNotFound, for: binding.identity, path: chain.path + [binding.identity],
      container: container.name,
      note: "Its scope is \(binding.descriptor.scope). No container of that name was found. "
        + "Searched: \(names.joined(separator: ", ")).")
  }

  static func tooDeep(_ asked: Binding, _ chain: Chain) -> ResolutionError {
    let binding = asked.instanceOwner
    let path = chain.path + [binding.identity]
    // A chain that has met the service before is a cycle: report it as one, with one round of it.
    let met = chain.contains(binding) ? path.indices.filter { path[$0].isSame(as: binding.identity) } : []
    guard met.count > 1 else { return ResolutionError(.tooDeep, for: binding.identity, path: path) }
    return ResolutionError(.cycle, for: binding.identity, path: Array(path[...met[1]]))
  }

  static func ambiguous(_ candidates: [Binding], _ chain: Chain) -> ResolutionError {
    let sources = candidates.map { candidate in
      let parameters = candidate.innermost.descriptor.parameters.map(\.identity.description)
      return "(\(parameters.joined(separator: ", "))) at \(candidate.descriptor.source)"
    }
    return ResolutionError(
      .ambiguous, for: candidates.first?.identity, path: candidates.first.map { chain.path(to: $0.identity) } ?? [],
      note: "Candidates: " + sources.joined(separator: "; ") + ".")
  }

  /// The error for an identity that no search finds: it is not registered, takes other run-time arguments, or is in a
  /// closed linked container.
  static func missing(_ identity: ServiceIdentity, in container: Container, chain: Chain) -> ResolutionError {
    let search = NearMisses(of: identity, in: container)
    if let closed = search.closedOwner { return .closed(identity, chain, in: closed) }
    let path = chain.path + [search.wanted]
    let initializer = path.dropLast().last.flatMap { search.isParameter(of: $0, in: container) ? $0 : nil }
    return ResolutionError(
      search.hasOtherArguments ? .argumentMismatch : .notRegistered, for: search.wanted,
      path: path, container: container.name, suggestions: search.suggestions,
      note: initializer.map {
        "Autowiring ignores default values. If the parameter has one, register \($0) with a factory closure."
      })
  }
}
