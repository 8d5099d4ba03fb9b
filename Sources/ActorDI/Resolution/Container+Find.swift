// The pinned steps of a resolve: a lookup in the container's own registry and, if that does not suffice, a search beyond it. The lookup is
// inlined into the client; the search is a call.
//
// The parameter `frame` is always the frame of the asking asynchronous factory, if any.
extension Container {
  /// Finds an identity without a key.
  @_alwaysEmitIntoClient @inline(__always)
  nonisolated func find(_ signature: UInt, _ frame: ResolutionFrame?) -> Lookup {
    let lookup = lookUp(signature, keyWord: 0) { _ in true }
    if !lookup.isToSearch(for: frame) { return lookup }
    return search(lookup.record, lookup.binding, signature, frame)
  }

  /// Finds an identity with a key.
  // Not `some`: compiler 6.3.1 would crash where it prints a debug build as LLVM IR. It cannot print such a parameter's type there.
  @_alwaysEmitIntoClient @inline(__always)
  nonisolated func find<Value: Hashable & Sendable>(
    _ signature: UInt, key: Value, _ frame: ResolutionFrame?
  ) -> Lookup {
    // The compiler evaluates this check where the type is known.
    if _isOptional(Value.self) { return find(signature, erasedKey: Key.of(key), frame) }
    let keyWord = KeyWord.hash(key)
    let lookup = lookUp(signature, keyWord: keyWord) { Binding.hasKey($0, key) }
    if !lookup.isToSearch(for: frame) { return lookup }
    return search(lookup, signature, keyWord: keyWord, frame) { Binding.hasKey($0, key) }
  }

  /// Finds the identity of a token. If it is not made of an ASCII literal, the search does all the work.
  @_alwaysEmitIntoClient @inline(__always)
  nonisolated func find<Service>(
    _ token: ServiceKey<Service>, _ frame: ResolutionFrame?, signature: UInt = TypeAddress.of(Service.self)
  ) -> Lookup {
    guard case .literal(let name) = token.storage, case let keyWord = KeyWord.hash(literal: name), keyWord != 0 else {
      return searchByKey(token, signature, frame)
    }
    let lookup = lookUp(signature, keyWord: keyWord) { Binding.hasKey($0, name) }
    if !lookup.isToSearch(for: frame) { return lookup }
    return search(lookup, signature, keyWord: keyWord, name, frame)
  }

  /// Searches for the identity of a token that is not made of a literal. A function of the library, so that the call site holds no
  /// reference to the token.
  @usableFromInline
  nonisolated func searchByKey<Service>(
    _ token: ServiceKey<Service>, _ signature: UInt, _ frame: ResolutionFrame?
  ) -> Lookup {
    find(signature, erasedKey: token.key, frame)
  }

  /// Finds an identity whose key, if any, has an erased type.
  @usableFromInline
  nonisolated func find(_ signature: UInt, erasedKey key: Key?, _ frame: ResolutionFrame?) -> Lookup {
    guard let key else { return find(signature, frame) }
    let keyWord = key.word
    let record = ThreadRecordPointer.current
    record.pin()
    let lookup = Lookup(record: record, binding: .unsure, holderWord: .free)
    return search(lookup, signature, keyWord: keyWord, frame) {
      Binding.at($0).borrow { $0.key == key }
    }
  }

  /// Looks up an identity in this container's own registry, under a pin that begins here.
  ///
  /// - Parameters:
  ///   - keyWord: The key's word in the snapshot; 0 for no key.
  ///   - isMatch: Whether the binding at an address has the key.
  /// - Returns: The lookup of the binding; ``FoundBinding/unsure`` if the search must begin with this container.
  @_alwaysEmitIntoClient @inline(__always)
  nonisolated func lookUp(_ signature: UInt, keyWord: UInt, where isMatch: (FoundBinding) -> Bool) -> Lookup {
    let record = ThreadRecordPointer.current
    let mustSearch = record.pin()
    let address = publishedSnapshot
    if mustSearch { return Lookup(record: record, binding: .unsure, holderWord: .free) }
    guard address.isSnapshot else {
      return Lookup(record: record, binding: FoundBinding(address), holderWord: .free)
    }
    return Lookup(record: record, binding: Snapshot(at: address).find(signature, keyWord, where: isMatch))
  }
}
