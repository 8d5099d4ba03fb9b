// Errors of a resolve: they say who asked for what.
extension ResolutionError {
  static func cycle(_ path: [ServiceIdentity], _ chain: Chain) -> ResolutionError {
    ResolutionError(.cycle, for: path.last, path: path)
  }

  static func asyncRequired(_ identity: ServiceIdentity, _ chain: Chain) -> ResolutionError {
    ResolutionError(.asyncRequired, for: identity, path: chain.path + [identity])
  }

  static func closed(
    _ identity: ServiceIdentity, _ chain: Chain, in owner: (any LifecycleOwner)?
  ) -> ResolutionError {
    ResolutionError(
      .closed, for: identity, path: chain.path + [identity], container: owner?.name)
  }

  static func scopeNotFound(
    _ binding: Binding, asking container: Container, _ chain: Chain
  ) -> ResolutionError {
    let names = sequence(first: container, next: \.parent).map { "\"\($0.name)\"" }
    return ResolutionError(
      .scopeNotFound, for: binding.identity, path: chain.path + [binding.identity],
      container: container.name,
      note: "Its scope is \(binding.descriptor.scope); it was asked for in \(names.joined(separator: ", in ")).")
  }

  static func tooDeep(_ binding: Binding, _ chain: Chain) -> ResolutionError {
    // A chain that has met the service before will not end: call it by its name, and show one round of it.
    if let cycle = chain.cycle(closedBy: binding) {
      return ResolutionError(.cycle, for: binding.identity, path: cycle)
    }
    return ResolutionError(
      .tooDeep, for: binding.identity, path: chain.path + [binding.identity])
  }

  static func ambiguous(_ candidates: [Binding], _ chain: Chain) -> ResolutionError {
    let sources = candidates.map { candidate in
      let parameters = candidate.descriptor.parameters.map(\.identity.description)
      return "(\(parameters.joined(separator: ", "))) at \(candidate.descriptor.source)"
    }
    return ResolutionError(
      .ambiguous, for: candidates.first?.identity, path: chain.path,
      note: "These initialisers can be satisfied equally well: " + sources.joined(separator: "; ") + ".")
  }

  /// Nothing is registered under the identity, or only with other arguments.
  static func missing(
    _ identity: ServiceIdentity, in container: Container, chain: Chain
  ) -> ResolutionError {
    let search = NearMisses(of: identity, in: container)
    return ResolutionError(
      search.hasOtherArguments ? .argumentMismatch : .notRegistered, for: identity,
      path: chain.path + [identity], container: container.name, suggestions: search.suggestions)
  }
}
