internal import Synchronization

// The one search of a resolve, under the pin of its lookup: the container's own snapshot, then its links in the order made, then its
// parent; each linked container and each parent in the same way, and each of them once.
//
// - P1 *alive*: whoever asks holds the container that is asked; a container holds its parent, or whoever runs its `withScope` does (E1); and
//   a link array holds the containers linked to. A link array is retired when it is replaced, so the pin protects what is found by it;
//   beyond the pin, a hazard slot for the array does.
// - P2 *nothing is copied down*: what is found in a parent stands there alone, so a change of the parent has nothing to take back.
// - P3 *nothing, for want of a sure answer*: where overrides are in force for the task, or a search meets more linked containers than it has
//   room for, it finds nothing. The slow path then searches with references.
extension Container {
  /// What an identity without a key leads to.
  ///
  /// - Parameters:
  ///   - found: what was found in the container itself, under its pin, which goes on.
  ///   - frame: the asynchronous factory that asks.
  @usableFromInline
  @inline(never)
  nonisolated func search(_ found: Lookup, _ signature: UInt, _ frame: ResolutionFrame?) -> Lookup {
    search(found, Wanted(signature: signature, word: 0), frame) { _ in true }
  }

  /// What a keyed identity leads to.
  ///
  /// - Parameters:
  ///   - found: what was found in the container itself, under its pin, which goes on.
  ///   - isLiteral: whether the word is that of a literal. A container that has keys may have this one under a hash, too.
  ///   - frame: the asynchronous factory that asks.
  ///   - isMatch: whether the binding at an address has the key.
  @usableFromInline
  @inline(never)
  nonisolated func search(
    _ found: Lookup, _ signature: UInt, word: UInt, isLiteral: Bool, _ frame: ResolutionFrame?,
    where isMatch: (UInt) -> Bool
  ) -> Lookup {
    search(found, Wanted(signature: signature, word: word, isLiteral: isLiteral), frame, where: isMatch)
  }

  @inline(__always)
  private nonisolated func search(
    _ found: Lookup, _ wanted: Wanted, _ frame: ResolutionFrame?, where isMatch: (UInt) -> Bool
  ) -> Lookup {
    let record = unsafe found.record
    if unsafe record.isOverridden { return unsafe Lookup(record: record, binding: 0) }
    var (binding, links) = (found.binding, UInt(0))
    if binding == 0 {
      (binding, links) = find(wanted, where: isMatch)
      if binding == 0 { return unsafe Lookup(record: record, binding: 0) }
    }
    return unsafe Binding.at(binding)._withUnsafeGuaranteedRef { found in
      var instance = found.instance.load(ordering: .acquiring)
      if found.isKeptByAsker {
        instance = found.isKeptByName ? keptInstance(of: found) : kept.shown(found.keptNumber)
      }
      if unsafe record.isRecording || frame != nil { unsafe record.note(found, frame) }
      return unsafe Lookup(record: record, binding: binding, instance: instance, links: links)
    }
  }

  fileprivate struct Wanted {
    let signature: UInt
    let word: UInt
    var isLiteral = false
  }

  @inline(__always)
  private nonisolated func find(
    _ wanted: Wanted, where isMatch: (UInt) -> Bool
  ) -> (binding: UInt, links: UInt) {
    switch UnheldReference(self).findAbove(wanted, where: isMatch) {
    case .found(let binding): (binding, 0)
    case .nothing: (0, 0)
    case .unsure: findByLinks(wanted, where: isMatch)
    }
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

  private nonisolated func findByLinks(
    _ wanted: Wanted, where isMatch: (UInt) -> Bool
  ) -> (binding: UInt, links: UInt) {
    if let found = findByOwnLinks(wanted, where: isMatch) { return found }
    return unsafe withUnsafeTemporaryAllocation(of: UInt.self, capacity: Self.mostVisited) { visited in
      var count = 0
      return unsafe findByLinks(wanted, where: isMatch, links: 0, visited, &count) ?? (0, 0)
    }
  }

  /// The search where only this container has links: nothing can be met again but parents, which have nothing to be found then either.
  ///
  /// - Returns: nil where another container has links.
  private nonisolated func findByOwnLinks(
    _ wanted: Wanted, where isMatch: (UInt) -> Bool
  ) -> (binding: UInt, links: UInt)? {
    switch findHere(wanted, where: isMatch) {
    case 0: break
    case Self.unsure: return (0, 0)
    case let binding: return (binding, 0)
    }
    let array = linkArray.load(ordering: .acquiring)
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: array) else { return nil }
    let targets = unsafe Unmanaged<LinkArray>.fromOpaque(pointer)._withUnsafeGuaranteedRef { unsafe $0.targets }
    for index in targets.indices {
      switch unsafe UnheldReference(targets[index]).findAbove(wanted, where: isMatch) {
      case .found(let binding): return (binding, array)
      case .nothing: break
      case .unsure: return nil
      }
    }
    guard let parentToSearch else { return (0, 0) }
    switch parentToSearch.findAbove(wanted, where: isMatch) {
    case .found(let binding): return (binding, 0)
    case .nothing: return (0, 0)
    case .unsure: return nil
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
    if let pointer = unsafe UnsafeRawPointer(bitPattern: array) {
      let found = unsafe Unmanaged<LinkArray>.fromOpaque(pointer)._withUnsafeGuaranteedRef {
        array -> (binding: UInt, links: UInt)? in
        for index in unsafe array.targets.indices {
          let found: (binding: UInt, links: UInt)? = unsafe array.targets[index]._withUnsafeGuaranteedRef {
            unsafe $0.findByLinks(wanted, where: isMatch, links: UInt(bitPattern: pointer), visited, &count)
          }
          if let found { return found }
        }
        return nil
      }
      if let found { return found }
    }
    return parentToSearch?.lend {
      unsafe $0.findByLinks(wanted, where: isMatch, links: links, visited, &count)
    } ?? nil
  }

  // MARK: What is kept

  /// The address of the box that the nearest container of a name keeps for a registration; 0 for none.
  @inline(never)
  private nonisolated func keptInstance(of binding: Binding) -> UInt {
    let number = binding.keptNumber
    return binding.keeperReference(for: self)?.lend { $0.kept.shown(number) } ?? 0
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
    var next = self
    while true {
      let found = next.lend { $0.findHere(wanted, where: isMatch) }
      if found == Container.unsure { return .unsure }
      if found != 0 { return .found(found) }
      if next.lend({ $0.linkArray.load(ordering: .acquiring) }) != 0 { return .unsure }
      guard let parent = next.lend({ $0.parentToSearch }) else { return .nothing }
      next = parent
    }
  }
}
