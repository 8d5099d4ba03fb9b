internal import Synchronization

// The one search of a resolve, under the pin of its lookup: the container's own snapshot, then its links in the order made, then its
// parent; each linked container and each parent in the same way, and each of them once.
//
// - P1 *alive*: whoever asks holds the container that is asked; a container holds its parent, or whoever runs its `withScope` does (E1); and
//   a link array holds the containers linked to. A link array is retired when it is replaced, so the pin protects what is found by it;
//   beyond the pin, a hazard slot for the array does.
// - P2 *nothing is copied down*: what is found in a parent stands there alone, so a change of the parent has nothing to take back.
// - P3 *nothing, for want of a sure answer*: where overrides are in force for the task, a container on the way decorates what was found, or a
//   search meets more linked containers than it has room for, it finds nothing. The slow path then searches with references.
extension Container {
  /// What an identity without a key leads to.
  ///
  /// - Parameters:
  ///   - found: what was found in the container itself, under its pin, which goes on.
  ///   - frame: the asynchronous factory that asks.
  @inlinable
  @inline(__always)
  nonisolated func search(_ found: Lookup, _ signature: UInt, _ frame: ResolutionFrame?) -> Lookup {
    unsafe search(found.record, found.binding, signature, frame)
  }

  /// What an identity leads to whose key is given by a literal.
  ///
  /// - Parameters:
  ///   - found: what was found in the container itself, under its pin, which goes on.
  ///   - literal: the word of the literal. A container that has keys may have this one under a hash, too.
  ///   - frame: the asynchronous factory that asks.
  @inlinable
  @inline(__always)
  nonisolated func search(_ found: Lookup, _ signature: UInt, literal: UInt, _ frame: ResolutionFrame?) -> Lookup {
    unsafe search(found.record, found.binding, signature, literal: literal, frame)
  }

  // The next two call nothing but what comes last, and take no more than registers hold: all that is rare begins anew in `searchAtLength`. The
  // record is handed over and back: to load it from the thread's own storage again takes longer than to save a register.

  @usableFromInline
  @inline(never)
  nonisolated func search(
    _ record: ThreadRecordPointer, _ binding: UInt, _ signature: UInt, _ frame: ResolutionFrame?
  ) -> Lookup {
    // A lookup that has not looked has found no snapshot.
    guard unsafe frame == nil && !record.isWatched,
      binding != Lookup.unsearched || snapshot.load(ordering: .sequentiallyConsistent) == Snapshot.nothing
    else { return unsafe searchAtLength(record, binding, signature, frame) }
    var found = binding
    if binding <= Lookup.unsearched {
      switch UnheldReference(self).findBeyond(Wanted(signature: signature, word: 0), where: { _ in true }) {
      case .found(let binding): found = binding
      case .nothing: return unsafe Lookup(record: record, binding: 0)
      case .unsure: return unsafe searchAtLength(record, 0, signature, nil)
      }
    }
    return unsafe take(record, found) ?? searchAtLength(record, found, signature, nil)
  }

  @usableFromInline
  @inline(never)
  nonisolated func search(
    _ record: ThreadRecordPointer, _ binding: UInt, _ signature: UInt, literal: UInt, _ frame: ResolutionFrame?
  ) -> Lookup {
    guard unsafe frame == nil && !record.isWatched,
      binding > Lookup.unsearched || !mayHaveKeys(of: signature)
    else { return unsafe searchAtLength(record, binding, signature, literal: literal, frame) }
    var found = binding
    if binding <= Lookup.unsearched {
      let wanted = Wanted(signature: signature, word: literal, isLiteral: true)
      switch UnheldReference(self).findBeyond(wanted, where: { _ in true }) {
      case .found(let binding): found = binding
      case .nothing: return unsafe Lookup(record: record, binding: 0)
      case .unsure: return unsafe searchAtLength(record, 0, signature, literal: literal, nil)
      }
    }
    return unsafe take(record, found) ?? searchAtLength(record, found, signature, literal: literal, nil)
  }

  /// What a keyed identity leads to.
  ///
  /// - Parameters:
  ///   - found: what was found in the container itself, under its pin, which goes on.
  ///   - frame: the asynchronous factory that asks.
  ///   - isMatch: whether the binding at an address has the key.
  @usableFromInline
  @inline(never)
  nonisolated func search(
    _ found: Lookup, _ signature: UInt, word: UInt, _ frame: ResolutionFrame?, where isMatch: (UInt) -> Bool
  ) -> Lookup {
    unsafe searchAtLength(found.record, found.binding, Wanted(signature: signature, word: word), frame, where: isMatch)
  }

  /// What was found, with the instance that is shown, by the binding or by this container; nil where another container keeps it.
  @inline(__always)
  private nonisolated func take(_ record: ThreadRecordPointer, _ binding: UInt) -> Lookup? {
    let instance = unsafe Binding.at(binding)._withUnsafeGuaranteedRef { $0.instance.load(ordering: .acquiring) }
    if !InstanceHolder.isKeptNumber(instance) {
      return unsafe Lookup(record: record, binding: binding, instance: instance, links: 0)
    }
    if KeptNumber.isByName(instance) { return nil }
    return unsafe Lookup(record: record, binding: binding, instance: kept.shown(instance), links: 0)
  }

  /// Whether there may be keyed registrations of a service in this container, which has not been looked for them.
  @inline(__always)
  private nonisolated func mayHaveKeys(of signature: UInt) -> Bool {
    let address = snapshot.load(ordering: .sequentiallyConsistent)
    if address <= Snapshot.closed { return address == Snapshot.closed }
    return Snapshot(at: address).mayHaveKeys(of: signature)
  }

  // MARK: At length

  @inline(never)
  private nonisolated func searchAtLength(
    _ record: ThreadRecordPointer, _ binding: UInt, _ signature: UInt, _ frame: ResolutionFrame?
  ) -> Lookup {
    unsafe searchAtLength(record, binding, Wanted(signature: signature, word: 0), frame) { _ in true }
  }

  @inline(never)
  private nonisolated func searchAtLength(
    _ record: ThreadRecordPointer, _ binding: UInt, _ signature: UInt, literal: UInt, _ frame: ResolutionFrame?
  ) -> Lookup {
    let wanted = Wanted(signature: signature, word: literal, isLiteral: true)
    return unsafe searchAtLength(record, binding, wanted, frame) { _ in true }
  }

  @inline(__always)
  private nonisolated func searchAtLength(
    _ record: ThreadRecordPointer, _ binding: UInt, _ wanted: Wanted, _ frame: ResolutionFrame?,
    where isMatch: (UInt) -> Bool
  ) -> Lookup {
    if unsafe record.isOverridden { return unsafe Lookup(record: record, binding: 0) }
    var (binding, links) = (binding, UInt(0))
    if binding <= Lookup.unsearched {
      // Where a lookup has shown that this container does not have what is wanted, it need not look again: the pin is the same.
      (binding, links) = find(wanted, isMissed: binding == 0 && !wanted.isLiteral, where: isMatch)
      if binding == 0 { return unsafe Lookup(record: record, binding: 0) }
    }
    return unsafe Binding.at(binding)._withUnsafeGuaranteedRef { found in
      var instance = found.instance.load(ordering: .acquiring)
      if InstanceHolder.isKeptNumber(instance) {
        instance = found.keeperReference(for: self)?.lend { $0.kept.shown(found.keptNumber) } ?? 0
      }
      if unsafe record.isRecording || frame != nil { unsafe record.note(found, frame) }
      return unsafe Lookup(record: record, binding: binding, instance: instance, links: links)
    }
  }

  @inline(__always)
  private nonisolated func find(
    _ wanted: Wanted, isMissed: Bool, where isMatch: (UInt) -> Bool
  ) -> (binding: UInt, links: UInt) {
    if linkArray.load(ordering: .acquiring) == 0 {
      let own = UnheldReference(self)
      switch isMissed ? own.findBeyond(wanted, where: isMatch) : own.findAbove(wanted, where: isMatch) {
      case .found(let binding): return (binding, 0)
      case .nothing: return (0, 0)
      case .unsure: break
      }
    }
    return findByOwnLinks(wanted, isMissed: isMissed, where: isMatch) ?? findByAllLinks(wanted, where: isMatch)
  }

  fileprivate struct Wanted {
    let signature: UInt
    let word: UInt
    var isLiteral = false
  }

  /// In place of a binding: the container is closed, or may have what is wanted under another word.
  fileprivate static var unsure: UInt { 1 }

  @inline(__always)
  fileprivate nonisolated func findHere(_ wanted: Wanted, where isMatch: (UInt) -> Bool) -> UInt {
    let address = snapshot.load(ordering: .sequentiallyConsistent)
    if address <= Snapshot.closed { return address == Snapshot.closed ? Self.unsure : 0 }
    let snapshot = Snapshot(at: address)
    if wanted.word == 0 { return snapshot.find(wanted.signature, 0) }
    if !snapshot.mayHaveKeys(of: wanted.signature) { return 0 }
    let found = snapshot.find(wanted.signature, wanted.word, where: isMatch)
    return found == 0 && wanted.isLiteral ? Self.unsure : found
  }

  // MARK: By links

  /// How many containers a search by links may visit.
  private static var mostVisited: Int { 32 }

  /// The search where only this container has links: nothing can be met again but parents, which have nothing to be found then either.
  ///
  /// - Returns: nil where another container has links.
  @inline(__always)
  private nonisolated func findByOwnLinks(
    _ wanted: Wanted, isMissed: Bool, where isMatch: (UInt) -> Bool
  ) -> (binding: UInt, links: UInt)? {
    if !isMissed {
      switch findHere(wanted, where: isMatch) {
      case 0: break
      case Self.unsure: return (0, 0)
      case let binding: return (binding, 0)
      }
    }
    let array = linkArray.load(ordering: .acquiring)
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: array) else { return nil }
    return unsafe Unmanaged<LinkArray>.fromOpaque(pointer)._withUnsafeGuaranteedRef { links in
      for index in unsafe links.targets.indices {
        switch unsafe UnheldReference(links.targets[index]).findAbove(wanted, where: isMatch) {
        case .found(let binding): return links.mayDecorate(binding) ? (0, 0) : (binding, array)
        case .nothing: break
        case .unsure: return nil
        }
      }
      guard let parentToSearch else { return (0, 0) }
      switch parentToSearch.findAbove(wanted, where: isMatch) {
      case .found(let binding): return links.mayDecorate(binding) ? (0, 0) : (binding, 0)
      case .nothing: return (0, 0)
      case .unsure: return nil
      }
    }
  }

  @inline(never)
  private nonisolated func findByAllLinks(
    _ wanted: Wanted, where isMatch: (UInt) -> Bool
  ) -> (binding: UInt, links: UInt) {
    unsafe withUnsafeTemporaryAllocation(of: UInt.self, capacity: Self.mostVisited) { visited in
      var count = 0
      return unsafe findByLinks(wanted, where: isMatch, links: 0, visited, &count) ?? (0, 0)
    }
  }

  /// - Returns: nil where the search has to go on elsewhere; nothing, with no binding, where it ends.
  private nonisolated func findByLinks(
    _ wanted: Wanted, where isMatch: (UInt) -> Bool, links: UInt, _ visited: UnsafeMutableBufferPointer<UInt>,
    _ count: inout Int
  ) -> (binding: UInt, links: UInt)? {
    let address = UInt(bitPattern: unsafe Unmanaged.passUnretained(self).toOpaque())
    for index in 0..<count where unsafe visited[index] == address { return nil }
    guard count < Self.mostVisited else { return (0, 0) }
    unsafe visited[count] = address
    count += 1
    switch findHere(wanted, where: isMatch) {
    case 0: break
    case Self.unsure: return (0, 0)
    case let binding: return (binding, links)
    }
    let array = linkArray.load(ordering: .acquiring)
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: array) else {
      return parentToSearch?.lend { unsafe $0.findByLinks(wanted, where: isMatch, links: links, visited, &count) }
        ?? nil
    }
    return unsafe Unmanaged<LinkArray>.fromOpaque(pointer)._withUnsafeGuaranteedRef {
      array -> (binding: UInt, links: UInt)? in
      var found: (binding: UInt, links: UInt)?
      for index in unsafe array.targets.indices where found == nil {
        found = unsafe array.targets[index]._withUnsafeGuaranteedRef {
          unsafe $0.findByLinks(wanted, where: isMatch, links: UInt(bitPattern: pointer), visited, &count)
        }
      }
      if found == nil, let parentToSearch {
        found = parentToSearch.lend { unsafe $0.findByLinks(wanted, where: isMatch, links: links, visited, &count) }
      }
      if let found, found.binding != 0, array.mayDecorate(found.binding) { return (0, 0) }
      return found
    }
  }
}

extension LinkArray {
  /// Whether the container may put decorators around a binding that was found beyond it.
  @inline(__always)
  fileprivate func mayDecorate(_ binding: UInt) -> Bool {
    if decorated.isEmpty { return false }
    let service = unsafe Binding.at(binding)._withUnsafeGuaranteedRef { ObjectIdentifier($0.identity.service) }
    return decorated.contains(service)
  }
}

/// How a search ends that goes from a container to its parents.
private enum SearchEnd {
  case found(UInt)
  case nothing
  /// A container has links, or is closed, or may have what is wanted under another word.
  case unsure
}

extension UnheldReference<Container> {
  /// Looks in a container and its parents, as long as they have no links. Each is held by the one before it (P1).
  @inline(__always)
  fileprivate func findAbove(_ wanted: Container.Wanted, where isMatch: (UInt) -> Bool) -> SearchEnd {
    let found = lend { $0.findHere(wanted, where: isMatch) }
    if found == Container.unsure { return .unsure }
    return found != 0 ? .found(found) : findBeyond(wanted, where: isMatch)
  }

  /// The same, where the container itself has nothing to be found.
  @inline(__always)
  fileprivate func findBeyond(_ wanted: Container.Wanted, where isMatch: (UInt) -> Bool) -> SearchEnd {
    var last = self
    while true {
      if last.lend({ $0.linkArray.load(ordering: .acquiring) }) != 0 { return .unsure }
      guard let parent = last.lend({ $0.parentToSearch }) else { return .nothing }
      let found = parent.lend { $0.findHere(wanted, where: isMatch) }
      if found == Container.unsure { return .unsure }
      if found != 0 { return .found(found) }
      last = parent
    }
  }
}
