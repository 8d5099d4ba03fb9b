// Whether a container, or one that it searches, serves a caller.
extension Resolver {
  /// Checks that the container may serve this caller.
  ///
  /// - Throws: ``ResolutionError/Code/closed``.
  func checkOpen(for identity: @autoclosure () -> ServiceIdentity) throws {
    if !isServed { throw refusal(of: identity(), by: container) }
  }

  /// The binding for an identity: in this container, in a linked container or in a parent.
  ///
  /// - Throws: ``ResolutionError/Code/closed`` if the binding is in another container, and this one or an ancestor is closed. Also if
  ///   the binding is in a linked container that drains and does not serve this caller. ``ResolutionError/Code/cycle`` if the default of
  ///   a token needs itself to be made.
  func search(_ identity: ServiceIdentity) throws -> Located? {
    var located = container.locate(identity)
    // Repeatedly, since another thread may remove the default before it is found.
    while located == nil, try container.registerDefault(toFind: identity) { located = container.locate(identity) }
    guard let located, located.container !== container else { return located }
    try checkSearched(for: identity)
    try checkServed(by: located.container, for: identity)
    return located
  }

  /// Checks that the container of a found binding serves this caller. If it is a linked one, it may drain by itself.
  ///
  /// - Throws: ``ResolutionError/Code/closed``.
  func checkServed(by found: Container, for identity: ServiceIdentity) throws {
    if found.lifecycle.isDraining, !container.isSameOrBelow(found), !isPartOfBuild {
      throw refusal(of: identity, by: found)
    }
  }

  /// The error for a call that a closed or draining container refuses. Withdraws a draining container first (L6).
  private func refusal(of identity: ServiceIdentity, by refusing: Container) -> ResolutionError {
    if !refusing.lifecycle.isClosed { refusing.withdrawRegistry() }
    return .closed(identity, currentChain, in: refusing)
  }

  /// Checks that no container closed during a search. Otherwise the search may have found too little.
  ///
  /// - Throws: ``ResolutionError/Code/closed``.
  func checkSearched(for identity: ServiceIdentity) throws {
    let closed = UnheldReference(container).nearest { $0.lifecycle.isClosed }
    if closed != nil { throw ResolutionError.closed(identity, currentChain, in: container) }
  }

  /// Whether the container serves this caller. A draining container serves only factories, and the operations and disposers of its scopes.
  var isServed: Bool {
    if container.lifecycle.isClosed { return false }
    return !container.isBelowDraining || isPartOfBuild || container.isCallerInOpenScope || isPartOfDisposalBelow
  }

  /// Whether a disposer of a container below this one makes the call.
  private var isPartOfDisposalBelow: Bool {
    DisposalRun.ofTask.containers.contains { $0 !== container && $0.isSameOrBelow(container) }
  }

  /// Whether a factory or hook makes the call, or a ``Lazy``, a ``Provider`` or an ``Owned``, whose calls begin with a frame.
  private var isPartOfBuild: Bool {
    if liveFrame != nil { return true }
    let chain = currentChain
    return chain.frame != nil || chain.innermostBinding != nil
  }
}
