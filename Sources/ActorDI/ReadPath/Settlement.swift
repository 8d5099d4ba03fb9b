/// What a binding is in its container, told from what its registration says when it is placed there.
@usableFromInline
@safe
struct Settlement {
  /// Nil before it stands in a container.
  unowned(unsafe) var owner: Container?
  var order: UInt32 = 0
  var shortcut = Shortcut.none
  @usableFromInline var typeProbe = DynamicTypeProbe.fixed
  var synchrony: Synchrony
  var completion = Completion.none
  var disposability = Disposability.none
  var isMadeByOneCall = false
  var endsSynchronously = true
  var isInitial = false

  /// When a resolve is one call of the factory.
  enum Shortcut: UInt8 { case none, forSynchronousCallers, always }

  init(_ synchrony: Synchrony) {
    self.synchrony = synchrony
  }

  /// - Parameter disposalHooks: those of the descriptor, which comes without what takes long to copy.
  init(
    _ nature: Nature, _ service: any Any.Type, _ scope: Scope, takesArguments: Bool,
    _ disposalHooks: [DisposalHook]
  ) {
    self.init(nature.synchrony)
    // Others have asked what they make; of what a user has made nobody asks.
    if !nature.isInstance && !nature.isForward && !nature.isDecorated {
      let facts = TypeFacts.of(service)
      completion = Completion(facts)
      disposability = Disposability(facts)
      typeProbe = DynamicTypeProbe(of: service)
      if completion == .asynchronous { synchrony = .asynchronous }
    }
    let hasEnd = !disposalHooks.isEmpty
    if hasEnd { endsSynchronously = disposalHooks.allSatisfy { $0.run != nil } }
    isMadeByOneCall =
      synchrony == .synchronous && scope.isKept && !scope.isWeak && !nature.hasHooks && !nature.inheritsKey
      && disposability != .certain && (disposability != .none || !hasEnd)
    let isPlain =
      scope.isTransient && !nature.hasHooks && !hasEnd && !takesArguments && !nature.isForward
      && completion != .asynchronous && disposability != .certain
    guard isPlain else { return }
    switch nature.factorySynchrony {
    // What is decorated may turn out to be one to wait for.
    case .synchronous: shortcut = nature.isDecorated ? .forSynchronousCallers : .always
    case .either: shortcut = .forSynchronousCallers
    case .asynchronous, .mainActor: break
    }
  }
}
