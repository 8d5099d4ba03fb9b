internal import Synchronization

// The fast path's search, under the pin of its lookup. It visits the container's own snapshot, then its links in the order of their
// creation, then its parent. It searches each linked container and each parent in the same way, and each only once.
//
// - P1 *alive*: the caller holds the asked container; a container holds its parent, or the runner of its `withScope` does (E1); and a
//   link array holds the linked containers. A replaced link array is retired, so the pin protects the containers found by it. Beyond
//   the pin, a hazard slot for the array protects them.
// - P2 *nothing is copied down*: the binding found in a parent stays only there, so a change of the parent has nothing to invalidate.
// - P3 *nothing rather than a guess*: the search finds nothing in three cases. Overrides are in force for the task; a container on the
//   way decorates the result; or there are more linked containers than the search has room for. The slow path then searches with
//   references.
extension Container {
  // The first two functions call nothing except in their last step, and need no more than the registers hold. All rare cases start
  // again in `searchAtLength`. The record is passed in and returned: loading it from thread-local storage again takes longer than saving a
  // register.

  /// Searches for an identity without a key.
  ///
  /// - Parameters:
  ///   - binding: The result of the lookup in the container itself, under its pin, which continues.
  ///   - frame: The frame of the asking asynchronous factory, if any.
  @usableFromInline
  @inline(never)
  @_optimize(speed)
  nonisolated func search(
    _ record: ThreadRecordPointer, _ binding: UInt, _ signature: UInt, _ frame: ResolutionFrame?
  ) -> Lookup {
    unsafe searchQuickly(record, binding, Wanted(signature: signature, word: 0), frame)
  }

  /// Searches for an identity whose key is given by a literal.
  ///
  /// - Parameters:
  ///   - binding: The result of the lookup in the container itself, under its pin, which continues.
  ///   - literal: The word of the literal. A container with keyed registrations may have the key under its hash instead.
  ///   - frame: The frame of the asking asynchronous factory, if any.
  @usableFromInline
  @inline(never)
  @_optimize(speed)
  nonisolated func search(
    _ record: ThreadRecordPointer, _ binding: UInt, _ signature: UInt, literal: UInt, _ frame: ResolutionFrame?
  ) -> Lookup {
    unsafe searchQuickly(record, binding, Wanted(signature: signature, word: literal, isLiteral: true), frame)
  }

  /// Searches for a keyed identity.
  ///
  /// - Parameters:
  ///   - found: The result of the lookup in the container itself, under its pin, which continues.
  ///   - frame: The frame of the asking asynchronous factory, if any.
  ///   - isMatch: Whether the binding at an address has the key.
  @usableFromInline
  @inline(never)
  @_optimize(speed)
  nonisolated func search(
    _ found: Lookup, _ signature: UInt, word: UInt, _ frame: ResolutionFrame?, where isMatch: (UInt) -> Bool
  ) -> Lookup {
    unsafe searchAtLength(found.record, found.binding, Wanted(signature: signature, word: word), frame, where: isMatch)
  }

  @inline(__always)
  private nonisolated func searchQuickly(
    _ record: ThreadRecordPointer, _ binding: UInt, _ wanted: Wanted, _ frame: ResolutionFrame?
  ) -> Lookup {
    var found = binding
    guard frame == nil, found != Lookup.unsearched else { return unsafe searchAtLength(record, found, wanted, frame) }
    if found == 0 {
      if wanted.isLiteral && mayHaveKeys(of: wanted.signature) {
        return unsafe searchAtLength(record, 0, wanted, frame)
      }
      switch UnheldReference(self).findBeyond(wanted, where: { _ in true }) {
      case .found(let binding): found = binding
      case .nothing: return unsafe Lookup(record: record, binding: 0)
      case .unsure: return unsafe searchAtLength(record, 0, wanted, frame)
      }
    }
    return unsafe take(record, found) ?? searchAtLength(record, found, wanted, frame)
  }

  /// The lookup of a found binding, with the instance shown by the binding or kept by this container; nil if a named container above
  /// may keep it.
  @inline(__always)
  private nonisolated func take(_ record: ThreadRecordPointer, _ binding: UInt) -> Lookup? {
    let instance = unsafe Binding.at(binding)._withUnsafeGuaranteedRef { $0.instance.load(ordering: .acquiring) }
    if !InstanceHolder.isKeptNumber(instance) {
      return unsafe Lookup(record: record, binding: binding, instance: instance, links: 0)
    }
    let shown = kept.shown(instance)
    if shown == 0 && KeptNumber.isByName(instance) { return nil }
    return unsafe Lookup(record: record, binding: binding, instance: shown, links: 0)
  }

  /// Whether this container, whose keys the lookup has not searched, may have keyed registrations of a service.
  @inline(__always)
  private nonisolated func mayHaveKeys(of signature: UInt) -> Bool {
    let address = snapshot.load(ordering: .sequentiallyConsistent)
    if address <= Snapshot.closed { return address == Snapshot.closed }
    return Snapshot(at: address).mayHaveKeys(of: signature)
  }

  // MARK: At length

  @inline(__always)
  private nonisolated func searchAtLength(
    _ record: ThreadRecordPointer, _ binding: UInt, _ wanted: Wanted, _ frame: ResolutionFrame?
  ) -> Lookup {
    wanted.isLiteral
      ? unsafe searchAtLength(record, binding, literal: wanted, frame)
      : unsafe searchAtLength(record, binding, wanted.signature, frame)
  }

  // A function of its own for each kind of identity: a common one takes two nanoseconds longer, a tenth of a resolve through a link.

  @inline(never)
  private nonisolated func searchAtLength(
    _ record: ThreadRecordPointer, _ binding: UInt, _ signature: UInt, _ frame: ResolutionFrame?
  ) -> Lookup {
    unsafe searchAtLength(record, binding, Wanted(signature: signature, word: 0), frame) { _ in true }
  }

  @inline(never)
  private nonisolated func searchAtLength(
    _ record: ThreadRecordPointer, _ binding: UInt, literal: Wanted, _ frame: ResolutionFrame?
  ) -> Lookup {
    unsafe searchAtLength(record, binding, literal, frame) { _ in true }
  }

  @inline(__always)
  private nonisolated func searchAtLength(
    _ record: ThreadRecordPointer, _ binding: UInt, _ wanted: Wanted, _ frame: ResolutionFrame?,
    where isMatch: (UInt) -> Bool
  ) -> Lookup {
    if unsafe record.isOverridden { return unsafe Lookup(record: record, binding: 0) }
    var (binding, links) = (binding, UInt(0))
    if binding <= Lookup.unsearched {
      // If the lookup has shown that this container lacks the identity, there is no need to look again under the same pin.
      (binding, links) = find(wanted, isMissed: binding == 0 && !wanted.isLiteral, where: isMatch)
      if binding == 0 { return unsafe Lookup(record: record, binding: 0) }
    }
    return unsafe Binding.at(binding)._withUnsafeGuaranteedRef { found in
      var instance = found.instance.load(ordering: .acquiring)
      if InstanceHolder.isKeptNumber(instance) {
        instance = found.keeperReference(for: self)?.borrow { $0.kept.shown(found.keptNumber) } ?? 0
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

  /// A mark in place of a binding: the container is closed, or may have the identity under another word.
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

  /// The maximum number of containers that a search by links visits.
  private static var mostVisited: Int { 32 }

  /// The search if only this container has links. It may visit a parent twice, but never with a result on the first visit, so it needs
  /// no list of visited containers.
  ///
  /// - Returns: The result; nil if another container has links.
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

  /// The search through links of any depth, which records the visited containers.
  ///
  /// - Returns: nil if the search must continue elsewhere; a result without a binding if it ends here.
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
      return parentToSearch?.borrow { unsafe $0.findByLinks(wanted, where: isMatch, links: links, visited, &count) }
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
        found = parentToSearch.borrow { unsafe $0.findByLinks(wanted, where: isMatch, links: links, visited, &count) }
      }
      if let found, found.binding != 0, array.mayDecorate(found.binding) { return (0, 0) }
      return found
    }
  }
}

extension LinkArray {
  /// Whether the container may decorate a binding found in its links or parents.
  @inline(__always)
  fileprivate func mayDecorate(_ binding: UInt) -> Bool {
    if decorated.isEmpty { return false }
    let service = unsafe Binding.at(binding)._withUnsafeGuaranteedRef { ObjectIdentifier($0.identity.service) }
    return decorated.contains(service)
  }
}

/// The result of a search from a container to its parents.
private enum SearchEnd {
  case found(UInt)
  case nothing
  /// A container has links, is closed, or may have the identity under another word.
  case unsure
}

extension UnheldReference<Container> {
  /// Searches a container and its parents, as long as none of them has links. Each container holds its parent (P1).
  @inline(__always)
  fileprivate func findAbove(_ wanted: Container.Wanted, where isMatch: (UInt) -> Bool) -> SearchEnd {
    let found = borrow { $0.findHere(wanted, where: isMatch) }
    if found == Container.unsure { return .unsure }
    return found != 0 ? .found(found) : findBeyond(wanted, where: isMatch)
  }

  /// Searches the parents of a container, which itself lacks the identity.
  @inline(__always)
  fileprivate func findBeyond(_ wanted: Container.Wanted, where isMatch: (UInt) -> Bool) -> SearchEnd {
    var last = self
    while true {
      if last.borrow({ $0.linkArray.load(ordering: .acquiring) }) != 0 { return .unsure }
      guard let parent = last.borrow({ $0.parentToSearch }) else { return .nothing }
      let found = parent.borrow { $0.findHere(wanted, where: isMatch) }
      if found == Container.unsure { return .unsure }
      if found != 0 { return .found(found) }
      last = parent
    }
  }
}
