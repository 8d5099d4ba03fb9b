/// The time for which a container provides an instance, according to its registration.
struct Lifetime: Equatable, CustomStringConvertible {
  let scope: Scope
  let timeToLive: Duration?

  /// Whether the lifetime ends with a future scope, rather than with the validated container or one of its parents.
  let isInFutureScope: Bool

  /// Whether a container that is open now keeps the instance for its scope: the containers above it are known.
  let isInOpenScope: Bool

  /// The lifetime of the instances that a registration has in a context.
  ///
  /// The instances live in a future scope, whose own registrations are unknown:
  ///
  /// - ``Scope/scoped(_:)``: if neither the asked container nor one above it has that name.
  /// - ``Scope/scoped``: unless the asked container is an open scope. Other containers can resolve such services, but
  ///   rarely do.
  /// - ``Scope/pooled(max:)``: always.
  ///
  /// An instance that is kept by the scope of an ``Owned`` ends with it.
  init(of binding: Binding, in context: Container, isOwned: Bool) {
    scope = binding.descriptor.scope
    timeToLive = scope.policy.isKept ? binding.descriptor.keeping.timeToLive?.duration : nil
    isInFutureScope =
      switch scope.policy.keeper {
      case .named: binding.keeper(for: context) == nil
      case .asked: !isOwned && (scope.policy.isBuiltByOwner || !context.isOpenScope)
      case .caller, .call, .owner: false
      }
    isInOpenScope =
      switch scope.policy.keeper {
      case .named: !isInFutureScope
      case .asked: !scope.policy.isBuiltByOwner && context.isOpenScope
      case .caller, .call, .owner: false
      }
  }

  /// Whether the container keeps the instance strongly, and so everything that it was built from.
  ///
  /// Transient, `.graph` and weakly kept instances live as long as their users hold them. They pass on their dependencies to
  /// those users.
  var isHolding: Bool { scope.policy.isKept && !scope.policy.isWeak }

  /// Whether the registration sets an end before that of its container.
  var hasEnd: Bool { timeToLive != nil || scope.periods != nil || isInFutureScope }

  /// Whether an instance of this lifetime can hold one of the other lifetime beyond its end. This is the only place that
  /// compares the lengths of scopes.
  ///
  /// - A singleton lives longest: until its container closes. One with a time to live still outlasts an instance in a
  ///   managed scope, since it is not bound to the scope's end. A pooled instance lives as long as a singleton: it waits in
  ///   its container for the next scope.
  /// - An instance that is built by the owner of its registration is built outside of future scopes. It outlasts an instance that
  ///   ends with one, even if it is kept weakly: it would get an instance of its own, or none. An instance kept by the container of
  ///   a singleton, or by a parent of it, does not end before the singleton.
  /// - It is unknown which of two managed scopes ends first; within one, instances end together. The same applies to scopes
  ///   of different names. The dependencies of a scoped service are kept by the same container or by a parent of it. A
  ///   container that is open now is not below a future scope.
  /// - An instance without a time to live, or with a longer one, outlasts one with a time to live, in any scope.
  /// - A weakly kept instance has no end of its own: a singleton that takes it keeps it alive, as `.shared` intends.
  func outlasts(_ other: Lifetime) -> Bool {
    if scope.policy.isBuiltByOwner && other.isInFutureScope { return true }
    if isInOpenScope && other.isInFutureScope && other.scope.containerName != nil { return true }
    guard isHolding else { return false }
    if scope.policy.isBuiltByOwner && scope.periods == nil && other.scope.periods != nil { return true }
    guard let end = other.timeToLive else { return false }
    return timeToLive.map { $0 > end } ?? true
  }

  var description: String { timeToLive.map { "\(scope), time to live \($0)" } ?? scope.description }
}
