internal import Synchronization

// The fast path's search, under the pin of its lookup. It visits the container's own snapshot, then its links in the order of their
// creation, then its parent. It searches each linked container and each parent in the same way. It may visit a container a second time,
// but finds nothing there then.
//
// - P1 *alive*: the caller holds the asked container. A container holds its parent, or the runner of its `withScope` does (E1). A link
//   array holds the linked containers. A replaced link array is retired, so the pin protects the containers found by it. Beyond the
//   pin, a hazard slot for the array protects them.
// - P2 *nothing is copied down*: the binding found in a parent stays only there, so a change of the parent has nothing to invalidate.
// - P3 *nothing rather than a guess*: the search finds nothing without a certain answer. Overrides may be in force for the task, a
//   container may be closed or decorate the result, or a limit may be reached. The slow path then searches with references.
// - P4 *absent after two searches*: a lookup says that there is no registration only if two complete searches found none. During one, a
//   registration may move from a container not yet visited to one already visited.
extension Container {
  // The first two functions call nothing except in their last step, and need only the registers. All rare cases start again in
  // `searchAtLength`. The record is passed in and returned, because loading it again from thread-local storage takes longer than saving a
  // register.
  //
  // The functions marked as never inlined keep their registers and their memory out of their callers: a hit, a plain transient, and a
  // search up the parents. With those marked as always inlined, and with their closures, such a search makes no call.

  /// Searches for an identity without a key.
  ///
  /// - Parameters:
  ///   - binding: The result of the lookup in the container itself, under its pin, which continues.
  ///   - frame: The frame of the asking asynchronous factory, if any.
  @usableFromInline @inline(never)
  nonisolated func search(
    _ record: ThreadRecordPointer, _ binding: FoundBinding, _ signature: UInt, _ frame: ResolutionFrame?
  ) -> Lookup {
    let wanted = Wanted(signature: signature, word: 0)
    return unsafe searchQuickly(record, binding, wanted, frame, where: { _ in true }) {
      unsafe searchAtLength(record, $0, wanted, frame, where: { _ in true })
    }
  }

  /// Searches for an identity whose key is the text of an ASCII literal.
  @usableFromInline @inline(never)
  nonisolated func search(
    _ found: Lookup, _ signature: UInt, word: UInt, _ literal: StaticString, _ frame: ResolutionFrame?
  ) -> Lookup {
    let wanted = Wanted(signature: signature, word: word)
    return unsafe searchQuickly(
      found.record, found.binding, wanted, frame, where: { Binding.hasKey($0, literal) }
    ) { _ in
      search(found, signature, word: word, frame) { Binding.hasKey($0, literal) }
    }
  }

  /// Searches for a keyed identity.
  ///
  /// - Parameters:
  ///   - found: The result of the lookup in the container itself, under its pin, which continues.
  ///   - frame: The frame of the asking asynchronous factory, if any.
  ///   - isMatch: Whether the binding at an address has the key.
  @usableFromInline @inline(never)
  nonisolated func search(
    _ found: Lookup, _ signature: UInt, word: UInt, _ frame: ResolutionFrame?, where isMatch: (FoundBinding) -> Bool
  ) -> Lookup {
    let wanted = Wanted(signature: signature, word: word)
    return unsafe searchQuickly(found.record, found.binding, wanted, frame, where: isMatch) {
      unsafe searchAtLength(found.record, $0, wanted, frame, where: isMatch)
    }
  }

  /// Searches this container and its parents without links.
  ///
  /// - Parameter atLength: Continues in all other cases, with the binding found so far, if any.
  // Inlined with a closure as its last step. An optional as its result would take more registers.
  @inline(__always)
  private nonisolated func searchQuickly(
    _ record: ThreadRecordPointer, _ binding: FoundBinding, _ wanted: Wanted, _ frame: ResolutionFrame?,
    where isMatch: (FoundBinding) -> Bool, _ atLength: (FoundBinding) -> Lookup
  ) -> Lookup {
    guard frame == nil, binding != .unsure else { return atLength(binding) }
    var binding = binding
    if binding == .nothing {
      guard case .found(let inherited) = UnheldReference(self).findBeyond(wanted, where: isMatch) else {
        return atLength(.nothing)
      }
      binding = inherited
    }
    let word = unsafe Binding.at(binding)._withUnsafeGuaranteedRef(\.word)
    guard let number = word.number else {
      return unsafe Lookup(record: record, binding: binding, instance: word)
    }
    let kept = kept.word(number)
    // A named container above may keep the instance.
    if kept == .free && number.isByName { return atLength(binding) }
    return unsafe Lookup(record: record, binding: binding, instance: kept)
  }

  // MARK: At length

  @inline(never)
  private nonisolated func searchAtLength(
    _ record: ThreadRecordPointer, _ binding: FoundBinding, _ wanted: Wanted, _ frame: ResolutionFrame?,
    where isMatch: (FoundBinding) -> Bool
  ) -> Lookup {
    if unsafe record.isOverridden { return unsafe Lookup(record: record, binding: .unsure) }
    var found = Found(binding: binding)
    if !binding.isBinding {
      // If the lookup has shown that this container lacks the identity, the search skips it: the pin is still the same.
      found = find(wanted, isMissed: binding == .nothing, where: isMatch)
      // P4
      if found.binding == .absent { found = find(wanted, isMissed: false, where: isMatch) }
      if !found.binding.isBinding { return unsafe Lookup(record: record, binding: found.binding) }
    }
    return unsafe Binding.at(found.binding)._withUnsafeGuaranteedRef { binding in
      let instance = binding.word(for: self)
      if unsafe record.isRecording || frame != nil { unsafe record.note(binding, frame) }
      return unsafe Lookup(record: record, binding: found.binding, instance: instance, links: found.links)
    }
  }

  @inline(__always)
  private nonisolated func find(_ wanted: Wanted, isMissed: Bool, where isMatch: (FoundBinding) -> Bool) -> Found {
    let own = UnheldReference(self)
    switch isMissed ? own.findBeyond(wanted, where: isMatch) : own.findAbove(wanted, where: isMatch) {
    case .found(let binding): return Found(binding: binding)
    case .nothing: return Found(binding: .absent)
    case .unsure: return .unsure
    case .links(let container):
      // Links of links are followed in place, because a call for them would take a third of the whole resolve.
      let found = container.findByLinks(wanted, where: isMatch, by: .none, except: { _ in false }) { other, links in
        if other == container { return .nothing }
        return other.findByLinks(wanted, where: isMatch, by: links, except: { $0 == container }) { third, links in
          third.findByFartherLinks(behind: other, container, wanted, where: isMatch, by: links)
        }
      }
      return found.binding == .nothing ? Found(binding: .absent) : found
    }
  }

  fileprivate struct Wanted {
    let signature: UInt
    let word: UInt
  }

  @inline(__always)
  fileprivate nonisolated func findHere(_ wanted: Wanted, where isMatch: (FoundBinding) -> Bool) -> FoundBinding {
    let address = snapshot.load(ordering: .sequentiallyConsistent)
    if address <= Snapshot.closed { return FoundBinding(bits: address) }
    let snapshot = Snapshot(at: address)
    return snapshot.mayHave(wanted.signature) ? snapshot.find(wanted.signature, wanted.word, where: isMatch) : .nothing
  }

  /// The links and the decorated services that searches see. Under a pin.
  // Inlined, as the whole search is.
  @inline(__always)
  fileprivate nonisolated var publishedLinks: LinksWord { LinksWord(bits: linkArray.load(ordering: .acquiring)) }
}

extension Binding {
  /// The word of the binding, or of the slot in which a container keeps the instance.
  final func word(for asked: Container) -> HolderWord {
    guard let number = word.number else { return word }
    return keeperReference(for: asked)?.borrow { $0.kept.word(number) } ?? .free
  }
}

extension LinkArray {
  /// Whether the container may decorate a binding found in its links or parents. False for no binding.
  fileprivate func mayDecorate(_ binding: FoundBinding) -> Bool {
    if decorated.isEmpty || !binding.isBinding { return false }
    let service = unsafe Binding.at(binding)._withUnsafeGuaranteedRef { ObjectIdentifier($0.identity.service) }
    return decorated.contains(service)
  }
}

/// The result of a search from a container to its parents.
private enum SearchEnd {
  case found(FoundBinding)
  case nothing
  /// The container has links, which have not been searched. Neither it nor any container before it has the identity.
  case links(UnheldReference<Container>)
  /// A container is closed.
  case unsure
}

/// The result of a search that may follow links.
private struct Found {
  let binding: FoundBinding
  /// The links that led to the binding.
  let links: LinksWord

  init(binding: FoundBinding, links: LinksWord = .none) {
    self.binding = binding
    self.links = links
  }

  static var nothing: Found { Found(binding: .nothing) }
  static var unsure: Found { Found(binding: .unsure) }
}

extension UnheldReference<Container> {
  /// Searches a container and its parents, up to the first one that has links. Each container holds its parent (P1).
  @inline(__always)
  fileprivate func findAbove(_ wanted: Container.Wanted, where isMatch: (FoundBinding) -> Bool) -> SearchEnd {
    let found = borrow { $0.findHere(wanted, where: isMatch) }
    if found == .unsure { return .unsure }
    return found == .nothing ? findBeyond(wanted, where: isMatch) : .found(found)
  }

  /// Searches the parents of a container, which itself lacks the identity, up to the first one that has links.
  @inline(__always)
  fileprivate func findBeyond(_ wanted: Container.Wanted, where isMatch: (FoundBinding) -> Bool) -> SearchEnd {
    var last = self
    while true {
      if last.borrow({ $0.publishedLinks }) != .none { return .links(last) }
      guard let parent = last.borrow({ $0.parentToSearch }) else { return .nothing }
      let found = parent.borrow { $0.findHere(wanted, where: isMatch) }
      if found == .unsure { return .unsure }
      if found != .nothing { return .found(found) }
      last = parent
    }
  }

  // MARK: By links

  /// Searches the links of a container, which itself lacks the identity, and then its parents.
  ///
  /// - Parameters:
  ///   - links: Those by which the container was found.
  ///   - isEntered: Whether the search has entered a container and not left it yet. It does not enter such a container
  ///     again.
  ///   - follow: Searches the links of another container, which was found by the link array at an address.
  @inline(__always)
  fileprivate func findByLinks(
    _ wanted: Container.Wanted, where isMatch: (FoundBinding) -> Bool, by links: LinksWord,
    except isEntered: (Self) -> Bool, _ follow: (_ other: Self, _ links: LinksWord) -> Found
  ) -> Found {
    // The last link may just have been cancelled.
    let own = borrow { $0.publishedLinks }
    if own == .none { return .unsure }
    return own.borrow { array in
      var next = array.first
      var index = 0
      while let target = next {
        if !isEntered(target) {
          let found = target.find(wanted, where: isMatch, by: own, follow)
          if found.binding != .nothing { return array.mayDecorate(found.binding) ? .unsure : found }
        }
        next = unsafe index < array.others.count ? array.others[index] : nil
        index += 1
      }
      guard let parent = borrow({ $0.parentToSearch }) else { return .nothing }
      let found = parent.find(wanted, where: isMatch, by: links, follow)
      return array.mayDecorate(found.binding) ? .unsure : found
    }
  }

  /// Searches a container, its parents and its links.
  @inline(__always)
  private func find(
    _ wanted: Container.Wanted, where isMatch: (FoundBinding) -> Bool, by links: LinksWord,
    _ follow: (_ other: Self, _ links: LinksWord) -> Found
  ) -> Found {
    switch findAbove(wanted, where: isMatch) {
    case .found(let binding): Found(binding: binding, links: links)
    case .links(let other): follow(other, links)
    case .nothing: .nothing
    case .unsure: .unsure
    }
  }

  /// Searches the links of a container that was found by the links of two others, and the containers beyond.
  ///
  /// The search does not enter a container that it has not left yet. It may enter a container again later, without a
  /// result.
  @inline(never)
  fileprivate func findByFartherLinks(
    behind second: Self, _ first: Self, _ wanted: Container.Wanted, where isMatch: (FoundBinding) -> Bool,
    by links: LinksWord
  ) -> Found {
    unsafe _withUnprotectedUnsafeTemporaryAllocation(of: UInt.self, capacity: Self.mostEntered) { entered in
      unsafe entered[0] = first.address
      unsafe entered[1] = second.address
      var visits = 0
      return unsafe enter(entered, 2, wanted, where: isMatch, by: links, &visits)
    }
  }

  private func enter(
    _ entered: UnsafeMutableBufferPointer<UInt>, _ count: Int, _ wanted: Container.Wanted,
    where isMatch: (FoundBinding) -> Bool, by links: LinksWord, _ visits: inout Int
  ) -> Found {
    visits += 1
    guard count < Self.mostEntered, visits < Self.mostVisits else { return .unsure }
    unsafe entered[count] = self.address
    if unsafe isAmong(entered, count) { return .nothing }
    return findByLinks(wanted, where: isMatch, by: links) {
      unsafe $0.isAmong(entered, count + 1)
    } _: { other, links in
      unsafe other.enter(entered, count + 1, wanted, where: isMatch, by: links, &visits)
    }
  }

  private func isAmong(_ entered: UnsafeMutableBufferPointer<UInt>, _ count: Int) -> Bool {
    for index in 0..<count where unsafe entered[index] == self.address { return true }
    return false
  }

  /// The maximum number of containers that a search has entered and not left yet.
  private static var mostEntered: Int { 16 }
  /// The maximum number of entries into containers through farther links.
  private static var mostVisits: Int { 32 }
}
