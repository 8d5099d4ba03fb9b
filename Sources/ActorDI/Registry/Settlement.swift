/// What a binding is in its container, told from what its registration says when it is placed there.
@usableFromInline
@safe
struct Settlement {
  /// Nil before it stands in a container.
  unowned(unsafe) var owner: Container?
  var order: UInt32 = 0
  @usableFromInline var typeProbe = DynamicTypeProbe.fixed
  var synchrony: Synchrony
  var completion = Completion.none
  var disposability = Disposability.none
  private var facts: Facts = .endsSynchronously

  // In two bytes: a large registry has a hundred thousand of them.
  private struct Facts: OptionSet {
    let rawValue: UInt16

    static let isPlainTransient = Facts(rawValue: 1 << 0)
    static let isBuiltAlone = Facts(rawValue: 1 << 1)
    static let isBuiltAtOnce = Facts(rawValue: 1 << 2)
    static let isKeptByAsker = Facts(rawValue: 1 << 3)
    static let isKeptByName = Facts(rawValue: 1 << 4)
    static let keepsPerArguments = Facts(rawValue: 1 << 5)
    static let isBuiltByOwner = Facts(rawValue: 1 << 6)
    static let isWeak = Facts(rawValue: 1 << 7)
    static let endsSynchronously = Facts(rawValue: 1 << 8)
    static let isInitial = Facts(rawValue: 1 << 9)
  }

  private subscript(fact: Facts) -> Bool {
    get { facts.contains(fact) }
    set { if newValue { facts.insert(fact) } else { facts.remove(fact) } }
  }

  /// Whether a resolve is one call of the factory, as long as nobody wants to be told of it.
  var isPlainTransient: Bool { self[.isPlainTransient] }
  /// Whether an uncontended build is a call of the factory, and little more.
  var isBuiltAlone: Bool { self[.isBuiltAlone] }
  /// Whether an asynchronous caller need not suspend for it, as far as the registration can tell.
  var isBuiltAtOnce: Bool { self[.isBuiltAtOnce] }
  var isKeptByAsker: Bool { self[.isKeptByAsker] }
  var isKeptByName: Bool { self[.isKeptByName] }
  var keepsPerArguments: Bool { self[.keepsPerArguments] }
  var isBuiltByOwner: Bool { self[.isBuiltByOwner] }
  var isWeak: Bool { self[.isWeak] }
  var endsSynchronously: Bool { self[.endsSynchronously] }
  var isInitial: Bool {
    get { self[.isInitial] }
    set { self[.isInitial] = newValue }
  }

  init(_ synchrony: Synchrony) {
    self.synchrony = synchrony
  }

  /// - Parameters:
  ///   - isPublished: whether there is one instance that does not expire.
  ///   - disposalHooks: those of the descriptor, which comes without what takes long to copy.
  init(
    _ nature: Nature, _ service: any Any.Type, _ scope: Scope, takesArguments: Bool, isPublished: Bool,
    keepsPerArguments: Bool, hasForwards: Bool, _ disposalHooks: [DisposalHook]
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
    if hasEnd { self[.endsSynchronously] = disposalHooks.allSatisfy { $0.run != nil } }
    self[.isKeptByAsker] = scope.isKeptByAsker
    self[.isKeptByName] = scope.keeper == .named
    self[.isWeak] = scope.isWeak
    self[.isBuiltByOwner] = scope.isBuiltByOwner
    self[.keepsPerArguments] = keepsPerArguments
    // What is decorated may turn out to be one to wait for.
    self[.isBuiltAtOnce] = synchrony == .synchronous && !nature.isDecorated
    let hasOnlyFactory = !nature.hasHooks && !nature.isForward && !takesArguments && disposability != .certain
    self[.isBuiltAlone] =
      hasOnlyFactory && isPublished && !isWeak && !nature.isDecorated && !nature.inheritsKey && !hasForwards
      && scope.isPlainlyKept && (synchrony == .synchronous || synchrony == .either)
    let mayBePlain = nature.factorySynchrony == .synchronous || nature.factorySynchrony == .either
    self[.isPlainTransient] =
      hasOnlyFactory && scope.isTransient && !hasEnd && completion != .asynchronous && mayBePlain
  }
}
