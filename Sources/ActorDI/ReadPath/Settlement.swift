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
}

extension Descriptor {
  /// What a binding that says this is in a container.
  @inline(__always)
  func settlement(in container: Container, order: UInt32) -> Settlement {
    var settled = Settlement(synchrony)
    unsafe settled.owner = container
    settled.order = order
    // Others have asked what they make; of what a user has made nobody asks.
    if !isInstance && !isForward && !isDecorated {
      let facts = TypeFacts.of(identity.service)
      settled.completion = Completion(facts)
      settled.disposability = Disposability(facts)
      settled.typeProbe = DynamicTypeProbe(of: identity.service)
      if settled.completion == .asynchronous { settled.synchrony = .asynchronous }
    }
    let hasEnd = saysMore && !disposalHooks.isEmpty
    if hasEnd { settled.endsSynchronously = disposalHooks.allSatisfy { $0.run != nil } }
    settled.isMadeByOneCall =
      settled.synchrony == .synchronous && scope.isKept && !scope.isWeak && !hasHooks && !inheritsKey
      && settled.disposability != .certain && (settled.disposability != .none || !hasEnd)
    let isPlain =
      scope.isTransient && !hasHooks && !hasEnd && !identity.takesArguments && !isForward
      && settled.completion != .asynchronous && settled.disposability != .certain
    guard isPlain else { return settled }
    switch factorySynchrony {
    // What is decorated may turn out to be one to wait for.
    case .synchronous: settled.shortcut = isDecorated ? .forSynchronousCallers : .always
    case .either: settled.shortcut = .forSynchronousCallers
    case .asynchronous, .mainActor: break
    }
    return settled
  }
}
