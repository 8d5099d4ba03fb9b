/// How long a container hands an instance out, as far as its registration says.
struct Lifetime: Hashable {
  let scope: Scope
  let timeToLive: Duration?

  /// Whether it ends with a scope that is still to come, rather than with the container that is looked at or one of its parents.
  let isInScopeToCome: Bool

  init(_ descriptor: Descriptor, isInScopeToCome: Bool) {
    scope = descriptor.scope
    timeToLive = scope.isKept ? descriptor.keeping.timeToLive?.duration : nil
    self.isInScopeToCome = isInScopeToCome
  }

  /// Whether the container itself holds on to an instance, and so to all that it was built from.
  ///
  /// Transient and `.graph` instances, and those held weakly, live as long as somebody holds them: they carry what they were built
  /// from to whoever that is.
  var isHolding: Bool { scope.isKept && !scope.isWeak }

  /// Whether the registration sets an end before that of its container.
  var hasEnd: Bool { timeToLive != nil || scope.periods != nil || isInScopeToCome }

  /// Whether an instance that lives like this can hold one that lives like the other beyond the end of that one: the one place that
  /// says which scope is longer than which.
  ///
  /// - A singleton is the longest: it ends with its container. One with a time to live is still not bound to the end of a managed
  ///   scope, and so outlasts what is. A pooled instance is as long: it waits in its container for the next scope.
  /// - These, and what is in a managed scope, outlast what ends with a scope that is to come: it is kept for that, or lent to it. What is kept
  ///   by the container of a singleton or by one of its parents ends no earlier than the singleton.
  /// - Of two managed scopes nobody knows which ends first; within one, both end together. The same goes for scopes of different
  ///   names. What a scoped service takes is kept by the same container, or by a parent of it.
  /// - What has a time to live is outlasted by what has none, or a longer one, in whatever scope.
  /// - What is held weakly has no end by itself: a singleton that takes it keeps it alive, which is what `.shared` means.
  func outlasts(_ other: Lifetime) -> Bool {
    guard isHolding else { return false }
    if scope.isBuiltByOwner {
      if other.isInScopeToCome { return true }
      if scope.periods == nil && other.scope.periods != nil { return true }
    }
    guard let end = other.timeToLive else { return false }
    return timeToLive.map { $0 > end } ?? true
  }
}

extension Lifetime: CustomStringConvertible {
  var description: String {
    timeToLive.map { "\(scope), time to live \($0)" } ?? scope.description
  }
}
