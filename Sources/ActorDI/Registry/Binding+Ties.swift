// The relations between a binding and its decorators, choices and aliases. Used under the registry's lock.
extension Binding {
  /// The decorator or choice of the same container in front of this binding.
  var outer: Binding? {
    get { lazyExtras.load()?.outer }
    set { extras.outer = newValue }
  }

  /// The number of states saved by ``Registry/push()`` that contain the binding.
  var savedCount: Int {
    get { lazyExtras.load()?.savedCount ?? 0 }
    set { extras.savedCount = newValue }
  }

  /// The binding that is listed for this one: its outermost decorator or choice, or the binding itself.
  var outermost: Binding {
    var outermost = self
    while let next = outermost.outer { outermost = next }
    return outermost
  }

  /// The binding inside the decorators of containers. It includes the registration's own decorators.
  var undecorated: Binding {
    var inner = self
    while !inner.isPartOfRegistration, let next = inner.inner { inner = next }
    return inner
  }

  /// The binding inside all decorators, which has the registration's factory.
  var innermost: Binding {
    var inner = self
    while let next = inner.inner { inner = next }
    return inner
  }

  private var isPartOfRegistration: Bool { lazyExtras.load()?.isPartOfRegistration == true }

  /// Distinguishes the bindings listed under one identity: at most one registration, and aliases of several
  /// registrations.
  struct Role: Hashable {
    let identity: ServiceIdentity
    /// The name of the aliased registration; nil if the binding is no alias.
    let primary: ServiceIdentity?
  }

  var role: Role { Role(identity: identity, primary: undecorated.primary?.identity) }

  /// The role of a registration of this identity, even if this binding is an alias.
  var roleOfRegistration: Role { Role(identity: identity, primary: nil) }

  /// Whether this binding duplicates an earlier one of its identity.
  ///
  /// Aliases of different registrations are no duplicates: a collection contains them all, or the registrations are candidates. If they
  /// are neither, the registrations are themselves duplicates.
  func isDuplicate(of earlier: Binding) -> Bool {
    guard let primary = undecorated.primary, let other = earlier.undecorated.primary else { return true }
    return primary === other
  }

  /// The binding and all its parts, direct and indirect.
  var withParts: [Binding] {
    var bindings: [Binding] = []
    add(to: &bindings)
    return bindings
  }

  /// Appends the binding and all its parts, direct and indirect.
  func add(to bindings: inout [Binding]) {
    bindings.append(self)
    for part in parts { part.add(to: &bindings) }
  }

  /// The identities under which the instance is found: that of the binding, and the aliases of it and of the bindings in front of it.
  var shownIdentities: [ServiceIdentity] {
    sequence(first: self, next: \.outer).flatMap(\.withAliases).map(\.identity)
  }

  /// The bindings that may keep an instance for this one.
  var keepingBindings: [Binding] {
    if let primary { return primary.keepingBindings }
    return [self] + parts.flatMap(\.keepingBindings)
  }

  /// The bindings that a removed binding takes with it: itself and its parts.
  ///
  /// Excludes parts that are listed again, and parts that are behind another binding now.
  var gone: [Binding] { gone { _ in true } }

  /// The bindings in `gone`, except those that are saved and may come back.
  var retirable: [Binding] { gone { $0.savedCount == 0 } }

  private func gone(where isGone: (Binding) -> Bool) -> [Binding] {
    guard outermost.listIndex == nil, isGone(self) else { return [] }
    let behind = parts.filter { $0.outer === self }
    return [self] + behind.flatMap { $0.gone(where: isGone) }
  }

  /// Puts this binding in front of its parts. Before publication, and under the registry's lock.
  func become(_ kind: consuming Kind) {
    unsafe extras.storedKind = kind
    isInitial = parts.contains(where: \.isInitial)
    claimParts()
  }

  /// Makes this binding the outer one of its parts, and them the outer ones of theirs. Under the registry's lock.
  func claimParts() {
    for part in parts {
      part.outer = self
      part.claimParts()
    }
  }
}
