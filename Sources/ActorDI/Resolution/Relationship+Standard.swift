internal import Synchronization

// The relationship types of the standard library: optionals, arrays and dictionaries.

extension Optional: RelationshipType {
  static var absent: Self? { .some(nil) }

  static func dependency(key: Key?) -> Dependency {
    let wrapped = Dependency(Wrapped.self, key: key)
    let need = wrapped.need == .required ? .optional : wrapped.need
    return Dependency(wrapped.identity, need, forms: wrapped.forms, isOptional: true)
  }

  static func write(
    to memory: UnsafeMutableRawPointer, from resolver: Resolver, key: Key?, arguments: Arguments?
  ) throws {
    // The memory of an optional has room for the wrapped value.
    let isPresent = unsafe try writeWrapped(to: memory, from: resolver, key, arguments)
    let value = isPresent ? unsafe memory.assumingMemoryBound(to: Wrapped.self).move() : nil
    unsafe memory.initializeMemory(as: Self.self, to: value)
  }

  /// Writes the wrapped service.
  ///
  /// - Returns: False if there is none.
  private static func writeWrapped(
    to memory: UnsafeMutableRawPointer, from resolver: Resolver, _ key: Key?, _ arguments: Arguments?
  ) throws -> Bool {
    if try isUnavailable(to: resolver, key, arguments) { return false }
    let (container, frame) = (resolver.container, resolver.frame)
    let found = container.find(TypeAddress.of(Wrapped.self, taking: arguments), erasedKey: key, frame)
    if found.isKept {
      unsafe found.write(to: memory)
      return true
    }
    let unfinished = unsafe try container.tryMaking(found, arguments, frame, isSynchronous: true, at: memory)
    guard let unfinished else { return true }
    let identity = ServiceIdentity(Wrapped.self, key: key, taking: arguments)
    return unsafe try container.finishIfPresent(identity, unfinished, arguments: arguments, frame, at: memory)
  }

  static func resolve(from resolver: Resolver, key: Key?, arguments: Arguments?) async throws -> Instance {
    if try isUnavailable(to: resolver, key, arguments) { return Instance(holding: Wrapped?.none) }
    let identity = ServiceIdentity(Wrapped.self, key: key, taking: arguments)
    let found = resolver.container.find(identity.signature, erasedKey: key, resolver.frame)
    let wrapped: Wrapped? =
      found.isKept
      ? found.hit(Wrapped.self) : try await resolver.makeIfPresent(Wrapped.self, identity, found, arguments)
    return Instance(holding: wrapped)
  }

  /// Whether the wrapped type is an unavailable relationship without an explicit registration, which would throw an error instead of
  /// yielding nil.
  private static func isUnavailable(
    to resolver: Resolver, _ key: Key?, _ arguments: Arguments?
  ) throws -> Bool {
    guard let related = RelationshipTypes.relationship(Wrapped.self) else { return false }
    let identity = ServiceIdentity(Wrapped.self, key: key, taking: arguments)
    guard !related.isAvailable(from: resolver.container, key: key, arguments: arguments),
      resolver.container.locate(identity) == nil
    else { return false }
    try resolver.checkSearched(for: identity)
    return true
  }
}

extension Array: CollectionType {
  typealias Member = Element

  init(_ members: [Element], of list: borrowing ElementList) { self = members }

  static var absent: Self? { [] }
  static func holds(_ key: Key?) -> Bool { true }
  static var hasEachKeyOnce: Bool { false }
}

/// A dictionary contains the services that are registered under keys of its key type.
extension Dictionary: CollectionType {
  typealias Member = Value

  init(_ members: [Value], of list: borrowing ElementList) {
    self.init(minimumCapacity: members.count)
    for index in members.indices {
      if let key = list.bindings[index].borrow({ Self.own($0.key) }) { self[key] = members[index] }
    }
  }

  static func holds(_ key: ActorDI.Key?) -> Bool { own(key) != nil }
  static var hasEachKeyOnce: Bool { true }

  private static func own(_ key: ActorDI.Key?) -> Key? { key?.value(as: Key.self) }
}

// The elements are resolved in one call tree, so that they share `.graph` instances. If the registration of an element is replaced or
// removed before its turn, everything starts over with a new list.
extension CollectionType {
  static func dependency(key: Key?) -> Dependency { Dependency(ServiceIdentity(Member.self, key: key), .all) }

  static func write(
    to memory: UnsafeMutableRawPointer, from resolver: Resolver, key: Key?, arguments: Arguments?
  ) throws {
    let identity = ServiceIdentity(Member.self, key: key, taking: arguments)
    let asker = resolver.asker
    var collection: Self?
    while collection == nil {
      collection = try resolver.withElements(of: identity, in: Self.self, for: asker) { list in
        // The initialiser below would write the count of the standard library's one empty array, which all threads share.
        if list.count == 0 { return Self([], of: list) }
        do {
          let members = try unsafe [Member](unsafeUninitializedCapacity: list.count) { members, count in
            while count < list.count {
              let place = unsafe UnsafeMutableRawPointer(members.baseAddress.unsafelyUnwrapped + count)
              try list.bindings[count].borrow { binding in
                unsafe try binding.writeCurrent(resolver, arguments, to: place)
              }
              count += 1
            }
          }
          return Self(members, of: list)
        } catch is PrimaryIsGone {
          return nil
        }
      }
    }
    unsafe memory.initializeMemory(as: Self.self, to: collection.unsafelyUnwrapped)
  }

  static func resolve(from resolver: Resolver, key: Key?, arguments: Arguments?) async throws -> Instance {
    let identity = ServiceIdentity(Member.self, key: key, taking: arguments)
    let asker = resolver.asker
    return try await resolver.inOneCall { resolver in
      listing: while true {
        let list = try resolver.elementList(of: identity, in: Self.self, for: asker)
        defer { withExtendedLifetime(list) {} }
        var members: [Member] = []
        members.reserveCapacity(list.count)
        for index in list.bindings.indices {
          let binding = list.bindings[index].object
          let member = try await binding.current(as: Member.self, resolver, with: arguments)
          guard let member else { continue listing }
          members.append(member)
        }
        return Instance(holding: Self(members, of: list))
      }
    }
  }
}

extension Resolver {
  /// The binding that asks; nil for a call from outside.
  fileprivate var asker: Asker? {
    let chain = currentChain
    guard let asker = chain.asker else { return nil }
    let isOnThread = !chain.slots.isEmpty
    let hasInstance =
      unsafe isOnThread
      ? ThreadRecordPointer.current.isInOtherHook(of: asker) : chain.attempt?.isInOtherHook(of: asker) ?? false
    return Asker(binding: asker, hasInstance: hasInstance)
  }

  /// Runs several resolves within one call tree.
  func inOneCall<Result>(_ body: (Resolver) async throws -> Result) async throws -> Result {
    let outer = liveFrame ?? ResolutionFrame.ofCurrentTask
    if let outer, !outer.isOutermost { return try await body(Resolver(container: container, frame: outer)) }
    let frame = ResolutionFrame(graph: outer?.graph ?? ResolutionGraph(), attempt: outer?.attempt, isShared: true)
    defer { frame.graph.endCall() }
    let result = try await body(Resolver(container: container, frame: frame))
    try await frame.notifyAtEndOfCall()
    return result
  }

  /// The graph of the call in progress; outside of any call, a new graph that no call ends.
  var currentGraph: ResolutionGraph {
    if let frame = liveFrame ?? ResolutionFrame.ofCurrentTask { return frame.graph }
    let record = unsafe ThreadRecordPointer.current
    return unsafe record.isInCall ? record.graph : ResolutionGraph(hasEnded: true)
  }
}
