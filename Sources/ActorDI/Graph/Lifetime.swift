/// How long a container hands an instance out, as far as its registration says.
struct Lifetime: Hashable {
  let scope: Scope
  let timeToLive: Duration?

  init(_ descriptor: Descriptor) {
    scope = descriptor.scope
    timeToLive = scope.isKept ? descriptor.keeping.timeToLive?.duration : nil
  }

  /// Whether the container itself holds on to an instance, and so to all that it was built from.
  ///
  /// Transient and `.graph` instances, and those held weakly, live as long as somebody holds them: they carry what they were built
  /// from to whoever that is.
  var isHolding: Bool { scope.isKept && !scope.isWeak }

  /// Whether the registration sets an end before that of its container.
  var hasEnd: Bool {
    if timeToLive != nil { return true }
    return switch scope.kind {
    case .managed: true
    case .transient, .graph, .shared, .singleton, .automatic, .scoped, .pooled: false
    }
  }

  /// Whether an instance that lives like this can hold one that lives like the other beyond the end of that one: the one place that
  /// says which scope is longer than which.
  ///
  /// - A singleton is the longest: it ends with its container. One with a time to live is still not bound to the end of a managed
  ///   scope, and so outlasts what is.
  /// - Of two managed scopes nobody knows which ends first; within one, both end together.
  /// - What has a time to live is outlasted by what has none, or a longer one, in whatever scope.
  /// - What is held weakly has no end by itself: a singleton that takes it keeps it alive, which is what `.shared` means.
  func outlasts(_ other: Lifetime) -> Bool {
    guard isHolding else { return false }
    if case (.singleton, .managed) = (scope.kind, other.scope.kind) { return true }
    guard let end = other.timeToLive else { return false }
    return timeToLive.map { $0 > end } ?? true
  }
}

extension Lifetime: CustomStringConvertible {
  var description: String {
    timeToLive.map { "\(scope), time to live \($0)" } ?? scope.description
  }
}
