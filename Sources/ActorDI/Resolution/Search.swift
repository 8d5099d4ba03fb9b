internal import Synchronization

// The fast path's search, under the pin of its lookup. It visits the container's own snapshot, then its links in the order of their
// creation, then its parent. It searches each linked container and each parent in the same way. It may visit a container a second time,
// but finds nothing there then.
//
// - P1 *alive*: the caller holds the asked container. A container holds its parent, or the runner of its `withScope` does (E1). A link
//   array holds the linked containers. A replaced link array is retired, so the pin protects the containers found by it. Beyond the
//   pin, a hazard slot for the array protects them.
// - P2 *nothing is copied down*: the binding found in a parent stays only there, so a change of the parent has nothing to invalidate. Lists
//   of elements are an exception (P5).
// - P3 *nothing rather than a guess*: the search finds nothing without a certain answer. Overrides may be in force for the task, a
//   container may be closed or decorate the result, or a limit may be reached. The slow path then searches with references.
// - P4 *absent after two searches*: a lookup says that there is no registration only if two complete searches found none. During one, a
//   registration may move from a container not yet visited to one already visited.
extension Container {
  // Before their last step, the first two functions call only the comparison of keys, and need only the registers. All rare cases start
  // again in `searchAtLength`. The record is passed in and returned, because loading it again from thread-local storage takes longer than
  // saving a register.
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
    let wanted = Wanted(signature: signature, keyWord: 0)
    return searchQuickly(record, binding, wanted, frame, where: { _ in true }) {
      searchAtLength(record, $0, wanted, frame, where: { _ in true })
    }
  }

  /// Searches for an identity whose key is the text of an ASCII literal.
  @usableFromInline @inline(never)
  nonisolated func search(
    _ lookup: Lookup, _ signature: UInt, keyWord: UInt, _ literal: StaticString, _ frame: ResolutionFrame?
  ) -> Lookup {
    let wanted = Wanted(signature: signature, keyWord: keyWord)
    return searchQuickly(lookup.record, lookup.binding, wanted, frame, where: { Binding.hasKey($0, literal) }) {
      searchAtLength(lookup.record, $0, wanted, frame, where: { Binding.hasKey($0, literal) })
    }
  }

  /// Searches for a keyed identity.
  ///
  /// - Parameters:
  ///   - lookup: The result of the lookup in the container itself, under its pin, which continues.
  ///   - frame: The frame of the asking asynchronous factory, if any.
  ///   - isMatch: Whether the binding at an address has the key.
  @usableFromInline @inline(never)
  nonisolated func search(
    _ lookup: Lookup, _ signature: UInt, keyWord: UInt, _ frame: ResolutionFrame?, where isMatch: (FoundBinding) -> Bool
  ) -> Lookup {
    let wanted = Wanted(signature: signature, keyWord: keyWord)
    return searchQuickly(lookup.record, lookup.binding, wanted, frame, where: isMatch) {
      searchAtLength(lookup.record, $0, wanted, frame, where: isMatch)
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
      binding = findInParents(wanted, where: isMatch)
      guard binding.isBinding else { return atLength(.nothing) }
    }
    let word = Binding.at(binding).borrow(\.word)
    guard let number = word.number else {
      return Lookup(record: record, binding: binding, holderWord: word)
    }
    let kept = kept.word(number)
    // A named container above may keep the instance.
    if kept == .free && number.isByName { return atLength(binding) }
    return Lookup(record: record, binding: binding, holderWord: kept)
  }

  /// Searches the parents of this container, which itself lacks the identity, up to the first one that has links.
  @inline(__always)
  private nonisolated func findInParents(_ wanted: Wanted, where isMatch: (FoundBinding) -> Bool) -> FoundBinding {
    var last = UnheldReference(self)
    while last.borrow({ $0.publishedLinks }) == .none, let parent = last.borrow({ $0.parentToSearch }) {
      let found = parent.borrow { $0.findHere(wanted, where: isMatch) }
      if found != .nothing { return found }
      last = parent
    }
    return .nothing
  }

  @inline(never)
  private nonisolated func searchAtLength(
    _ record: ThreadRecordPointer, _ binding: FoundBinding, _ wanted: Wanted, _ frame: ResolutionFrame?,
    where isMatch: (FoundBinding) -> Bool
  ) -> Lookup {
    if record.isOverridden { return Lookup(record: record, binding: .unsure) }
    var result = SearchResult(binding: binding)
    if !binding.isBinding {
      result = CompleteSearch.find(wanted, from: self, where: isMatch)
      // P4
      if result.binding == .nothing { result = CompleteSearch.find(wanted, from: self, where: isMatch) }
      if result.binding == .nothing { return Lookup(record: record, binding: .absent) }
      if result.binding == .unsure { return Lookup(record: record, binding: .unsure) }
    }
    return Binding.at(result.binding).borrow { binding in
      let holderWord = binding.word(for: self)
      // The innermost build on this thread, or the asking asynchronous factory, notes the request. A resolver that outlives its factory
      // begins new chains.
      if let frame, frame.isLive {
        frame.attempt?.note(binding.identity)
      } else if record.isRecording {
        record.note(binding.identity)
      }
      return Lookup(record: record, binding: result.binding, holderWord: holderWord, links: result.links)
    }
  }
}

extension Binding {
  /// The word of the binding, or of the slot in which a container keeps the instance.
  func word(for asked: Container) -> HolderWord {
    let own = self.word
    guard let number = own.number else { return own }
    return keeperReference(for: asked)?.borrow { $0.kept.word(number) } ?? .free
  }
}

/// The result of a search that may follow links.
struct SearchResult {
  let binding: FoundBinding
  /// The links that led to the binding.
  var links = LinksWord.none

  static var nothing: SearchResult { SearchResult(binding: .nothing) }
  static var unsure: SearchResult { SearchResult(binding: .unsure) }
}

extension Container {
  /// The identity to search for, as in an entry of a ``Snapshot``.
  struct Wanted {
    let signature: UInt
    let keyWord: UInt
  }

  @inline(__always)
  nonisolated func findHere(_ wanted: Wanted, where isMatch: (FoundBinding) -> Bool) -> FoundBinding {
    let address = publishedSnapshot
    guard address.isSnapshot else { return FoundBinding(address) }
    let snapshot = Snapshot(at: address)
    return snapshot.mayHave(wanted.signature)
      ? snapshot.find(wanted.signature, wanted.keyWord, where: isMatch) : .nothing
  }

  /// The links and the decorated services that searches see. Under a pin.
  // Inlined, as the whole search is.
  @inline(__always)
  nonisolated var publishedLinks: LinksWord { LinksWord(bits: linkArray.load(ordering: .acquiring)) }
}
