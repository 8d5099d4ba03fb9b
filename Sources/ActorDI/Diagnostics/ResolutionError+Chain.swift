// Errors of a resolve, with the chain of requests that led to them.
extension ResolutionError {
  /// The error for a dependency cycle.
  ///
  /// - Parameter cycle: The services of the cycle, beginning with the one that the chain asks for.
  static func cycle(_ cycle: [ServiceIdentity], _ chain: Chain) -> ResolutionError {
    let path = chain.path(closing: cycle)
    return ResolutionError(.cycle, for: path.last, path: path)
  }

  /// The error for a service that the caller can get only by suspending.
  ///
  /// - Parameter isInTask: Whether the caller could build the service, but a task is building it already.
  static func asyncRequired(
    _ identity: ServiceIdentity, _ chain: Chain, isInTask: Bool = false
  ) -> ResolutionError {
    // A decorator is no requester of the service that it decorates.
    let requester = chain.synchronousRequester.flatMap { $0.isSame(as: identity) ? nil : $0 }
    return ResolutionError(
      .asyncRequired, for: identity, path: chain.path(to: identity),
      circumstance: {
        let advice = requester.map {
          "A synchronous closure of \($0) has resolved it. Write 'try await r.resolve()' in the closure, autowire \($0), or add an "
            + "asynchronous form by suspending(_:)."
        }
        guard isInTask else { return advice }
        return "A task is building it for an asynchronous caller, and synchronous code cannot wait for a task. "
          + (advice ?? "Resolve it with 'try await', which waits.")
      })
  }

  // Not inlined: its frame would become part of that of each build, and builds are nested.
  @inline(never)
  static func closed(_ identity: ServiceIdentity, _ chain: Chain, in owner: (any LifecycleOwner)?) -> ResolutionError {
    ResolutionError(.closed, for: identity, path: chain.path(to: identity), container: owner?.name)
  }

  /// The error for a service whose container was closed while the running code built the service.
  static func closed(building identity: ServiceIdentity, in container: Container) -> ResolutionError {
    var path = Resolver.chainOfCaller().path
    if path.last?.isSame(as: identity) != true { path.append(identity) }
    return ResolutionError(.closed, for: identity, path: path, container: container.name)
  }

  static func scopeNotFound(_ binding: Binding, asking container: Container, _ chain: Chain) -> ResolutionError {
    let names = container.lineage.map { "\"\($0.name)\"" }
    let path = chain.path(to: binding.identity)
    let request = FailedRequest(path, in: container, searching: SearchedRegistries(container.searchedContainers))
    return ResolutionError(
      .scopeNotFound, for: binding.identity, path: path,
      container: container.name,
      note: "Its scope is \(binding.descriptor.scope). No container of that name was found. "
        + "Searched: \(names.joined(separator: ", ")).",
      circumstance: { request.circumstanceOfTaker(isScoped: true) })
  }

  /// The error for a chain of dependencies that the stack cannot hold, or for a cycle that has filled it.
  static func tooDeep(_ requested: Binding, _ chain: Chain) -> ResolutionError {
    let binding = requested.instanceOwner
    let path = chain.path + [binding.identity]
    // A chain that has met the service before is reported as a cycle, with one round of it. With run-time arguments a recursion may end,
    // but this one has not.
    let met = chain.contains(binding.id) ? path.indices.filter { path[$0].isSame(as: binding.identity) } : []
    guard met.count > 1 else { return ResolutionError(.tooDeep, for: binding.identity, path: path) }
    return ResolutionError(.cycle, for: binding.identity, path: Array(path[...met[1]]))
  }

  static func external(_ binding: Binding, _ chain: Chain) -> ResolutionError {
    ResolutionError(
      .external, for: binding.identity, path: chain.path(to: binding.identity),
      note: "Registered as external at \(binding.descriptor.source).")
  }

  /// The error for at least two candidates that fit equally well.
  static func ambiguous(_ candidates: [Binding], _ chain: Chain) -> ResolutionError {
    let sources = candidates.map { candidate in
      let parameters = candidate.innermost.descriptor.parameters.map(\.identity.description)
      return "(\(parameters.joined(separator: ", "))) at \(candidate.descriptor.source)"
    }
    return ResolutionError(
      .ambiguous, for: candidates[0].identity, path: chain.path(to: candidates[0].identity),
      note: "Candidates: " + sources.joined(separator: "; ") + ".")
  }

  /// The error for an identity that no search finds: it is not registered, takes other run-time arguments, or was in a
  /// linked container that is closed.
  ///
  /// Similar registrations, and what is particular about the request, are looked up when the error's text is read.
  static func missing(_ identity: ServiceIdentity, in container: Container, chain: Chain) -> ResolutionError {
    let searched = container.searchedContainers
    if let closed = searched.first(where: { $0.isClosedOwner(of: identity) }) {
      return .closed(identity, chain, in: closed)
    }
    let path = chain.path(to: identity)
    let registries = SearchedRegistries(searched)
    let nearMisses = NearMisses(of: identity, in: registries)
    let request = FailedRequest(path, in: container, searching: registries)
    let hasScopes = !container.lifecycle.scopes.isEmpty
    let isRoot = container === Container.root
    let isMismatch = searched.contains { $0.hasOtherArguments(identity) }
    return ResolutionError(
      isMismatch ? .argumentMismatch : .notRegistered, for: identity,
      path: path, container: container.name, suggestions: { nearMisses.suggestions },
      circumstance: { request.circumstanceOfTaker(isScoped: hasScopes) },
      advice: { ofCode in
        let first =
          if isMismatch {
            nearMisses.adviceOnArguments ?? ofCode
          } else if nearMisses.suggestions.isEmpty {
            isRoot ? adviceOnRoot : ofCode
          } else {
            nil as String?
          }
        return [
          first, nearMisses.adviceOnConformingTypes, request.isForParameter ? nearMisses.adviceOnKeyOfParameter : nil,
          request.adviceOnDefaultValue,
        ].compactMap { $0 }
      })
  }
}

/// The advice if the container of the process was asked, which most programs do not fill.
private let adviceOnRoot =
  "Container.root was asked, as it is where no container is current. Keep the result of activate() as long as the program runs, use "
  + "withCurrent(_:operation:), or name the container: @Injected(from:)."

/// A request that found no service, for the text of its error.
///
/// The requesting services are looked up when the text is read.
private struct FailedRequest: Sendable {
  /// The services under construction, followed by the one that cannot be resolved.
  let path: [ServiceIdentity]
  /// The name of the container that was asked.
  let container: String
  let registries: SearchedRegistries

  init(_ path: [ServiceIdentity], in container: Container, searching registries: SearchedRegistries) {
    self.path = path
    self.container = container.name
    self.registries = registries
  }

  /// Whether the service is a parameter of an autowired one.
  var isForParameter: Bool { autowiredRequester != nil }

  /// The autowired service of which the missing one is a parameter.
  private var autowiredRequester: ServiceIdentity? {
    guard let wanted = path.last, let requester = path.dropLast().last,
      let parameters = registries.registration(of: requester)?.parameters
    else { return nil }
    return parameters.contains { $0.identity.isSame(as: wanted) } ? requester : nil
  }

  /// A line about default values if the service is a parameter of an autowired one. Nil if it is not.
  var adviceOnDefaultValue: String? {
    autowiredRequester.map {
      "If the parameter has a default value: autowiring ignores it. Register \($0) with a factory closure."
    }
  }

  /// A line that names the kept service that takes a service of a scope, and is built outside of it. Nil if there is none.
  ///
  /// - Parameter isScoped: Whether the last one may be a service of a scope. Others of the path may be, too.
  func circumstanceOfTaker(isScoped: Bool) -> String? {
    var isScoped = isScoped
    for identity in path.dropLast().reversed() {
      guard let scope = registries.registration(of: identity)?.scope else { continue }
      if scope.policy.isKeptPerContainer && !scope.policy.isBuiltByOwner { isScoped = true }
      guard scope.policy.isBuiltByOwner else { continue }
      guard isScoped else { return nil }
      return "\(identity), \(scope), takes it, and is built with the registrations of container \"\(container)\", "
        + "outside of scopes. Give \(identity) a scope that ends no later, or resolve \(path[path.count - 1]) in its scope and pass it "
        + "as an argument."
    }
    return nil
  }
}

extension Chain {
  /// The services from the root to the requesting one, continued along a cycle up to the first service that repeats.
  ///
  /// | under construction | cycle | path |
  /// | --- | --- | --- |
  /// | A, B, C | B, C | A, B, C, B |
  /// | A, B, C, B (the alias or the decorator of B has closed the cycle) | B, C | A, B, C, B |
  /// | A, where B and C are built elsewhere | B, C, B | A, B, C, B |
  ///
  /// - Parameter cycle: The cycle that the request closes, beginning with the requested service.
  fileprivate func path(closing cycle: [ServiceIdentity]) -> [ServiceIdentity] {
    let services = services
    var path = Self.merged(services.map(\.identity))
    if Self.isClosed(path, endsIndirectly: services.last?.isIndirect == true, by: cycle.first) { return path }
    for identity in cycle {
      let isMet = path.contains { $0.isSame(as: identity) }
      path.append(identity)
      if isMet { break }
    }
    return path
  }

  /// Whether a path already repeats its last service because of the cycle that a request closes. Either an alias or a decorator has closed
  /// the cycle, and the binding behind it follows in both places. Or the requested service is on the repeated part.
  ///
  /// - Parameters:
  ///   - endsIndirectly: Whether the last service is an alias or a choice.
  ///   - wanted: The requested service; nil if it is not known.
  private static func isClosed(
    _ path: [ServiceIdentity], endsIndirectly: Bool, by wanted: ServiceIdentity?
  ) -> Bool {
    guard let last = path.last, let first = path.dropLast().lastIndex(where: { $0.isSame(as: last) }) else {
      return false
    }
    guard let wanted, !endsIndirectly else { return true }
    // With run-time arguments, a service may follow itself.
    return last.arguments.isEmpty && path[first...].contains { $0.isSame(as: wanted) }
  }
}
