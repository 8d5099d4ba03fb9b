internal import Synchronization

/// The services under construction that led to a resolve, outermost first.
///
/// A chain has an asynchronous part (frames), followed by a synchronous part (hazard slots of the current thread).
/// Either may be empty. A chain is used where it was made, during the resolve that it describes.
struct Chain {
  /// A range of the current thread's hazard slots.
  @safe
  struct Slots {
    let record: ThreadRecordPointer
    let range: Range<Int>
  }

  /// The innermost attempt that the chain is part of.
  let attempt: Attempt?
  let frame: ResolutionFrame?
  let slots: Slots?

  /// Creates a chain from its parts.
  init(attempt: Attempt?, frame: ResolutionFrame?, slots: Slots?) {
    self.attempt = attempt
    self.frame = frame
    self.slots = slots
  }

  /// Creates the chain of an asynchronous factory; without a frame, an empty chain.
  init(_ frame: ResolutionFrame?) {
    self.init(attempt: frame?.attempt, frame: frame, slots: nil)
  }

  /// The services from the root to the requesting one.
  @inline(never)
  var path: [ServiceIdentity] { Self.merged(steps.map(\.identity)) }

  /// The services from the root to the one that the requesting service asks for.
  func path(to identity: ServiceIdentity) -> [ServiceIdentity] { Self.merged(path + [identity]) }

  /// The services from the root to the requesting one, continued along a cycle up to the first service that repeats.
  ///
  /// - Parameter cycle: The cycle that the request closes, beginning with the requested service.
  func path(closing cycle: [ServiceIdentity]) -> [ServiceIdentity] {
    let steps = steps
    var path = Self.merged(steps.map(\.identity))
    if let last = path.last, path.dropLast().contains(where: { $0.isSame(as: last) }) {
      // The path already repeats its last service: an alias or a decorator has closed the cycle. The binding behind it
      // follows in both places.
      let isSame = cycle.first.map { last.isSame(as: $0) && last.arguments.isEmpty } ?? true
      if isSame || steps.last?.isIndirect == true { return path }
    }
    for identity in cycle {
      let isMet = path.contains { $0.isSame(as: identity) }
      path.append(identity)
      if isMet { break }
    }
    return path
  }

  /// Merges consecutive steps with the same name.
  ///
  /// A decorator or delegate has the name of the binding behind it; the two are one step for a reader. With run-time
  /// arguments, a service may follow itself, so such steps stay.
  private static func merged(_ path: [ServiceIdentity]) -> [ServiceIdentity] {
    path.reduce(into: []) { merged, identity in
      if let last = merged.last, last.isSame(as: identity), identity.arguments.isEmpty { return }
      merged.append(identity)
    }
  }

  /// The address of the binding whose factory or hook makes the request; 0 for a call from outside.
  var asker: UInt {
    for slot in (slots?.range ?? 0..<0).reversed() {
      guard let address = unsafe slots?.record.pointee.slots[slot].load(ordering: .relaxed), address & 1 == 0 else {
        continue
      }
      return address
    }
    var next = frame
    while let current = next, current.identity == nil { next = current.parent }
    return next?.binding ?? 0
  }

  struct Step {
    let identity: ServiceIdentity
    let isIndirect: Bool
  }

  /// The services from the root to the requesting one, including aliases and decorators.
  var steps: [Step] {
    var steps: [Step] = []
    var next = frame
    while let current = next {
      if let identity = current.identity {
        steps.append(Step(identity: identity, isIndirect: current.isIndirect))
      }
      next = current.parent
    }
    steps.reverse()
    for slot in slots?.range ?? 0..<0 {
      // A borrowed instance or a placeholder is no step.
      guard let address = unsafe slots?.record.pointee.slots[slot].load(ordering: .relaxed),
        address & 1 == 0
      else { continue }
      unsafe Binding.at(address)._withUnsafeGuaranteedRef {
        steps.append(Step(identity: $0.identity, isIndirect: $0.isIndirect))
      }
    }
    return steps
  }

  /// Whether a service is under construction in the chain, so that another build of it would be a cycle.
  func contains(_ binding: Binding) -> Bool {
    let address = binding.address
    for slot in slots?.range ?? 0..<0 {
      if unsafe slots?.record.pointee.slots[slot].load(ordering: .relaxed) == address { return true }
    }
    // A frame whose factory has ended may still be the parent of a live one. Its service is no longer under
    // construction, and its binding may have been freed and its address reused.
    var next = frame
    while let current = next {
      if current.binding == address && current.isLive { return true }
      next = current.parent
    }
    return false
  }

  /// The edge by which the chain's attempt waits for another one. Nil if the chain is not part of a live attempt.
  func edge(to target: Attempt, _ kind: WaitGraph.Edge.Kind = .build) -> WaitGraph.Edge? {
    guard let attempt, !attempt.isFinished else { return nil }
    let path = path(
      sinceSlot: { $0 == attempt.slot },
      sinceFrame: { attempt.isLazy ? $0.identity == nil && $0.attempt === attempt : $0.binding == attempt.slot })
    return WaitGraph.Edge(
      source: attempt, target: target, path: (path ?? [attempt.identity]) + [target.identity], kind: kind)
  }

  /// The services from the nearest match to the requesting one. Searches the slots first, then the frames.
  private func path(
    sinceSlot isSlot: (UInt) -> Bool, sinceFrame isFrame: (ResolutionFrame) -> Bool
  ) -> [ServiceIdentity]? {
    let inner = slotPath(since: isSlot)
    if inner.isFound { return inner.path }
    return frame?.path(since: isFrame).map { $0 + inner.path }
  }

  /// The services in the slots, from the last match on; all of them if none matches.
  private func slotPath(since isStart: (UInt) -> Bool) -> (path: [ServiceIdentity], isFound: Bool) {
    guard let slots else { return ([], false) }
    var path: [ServiceIdentity] = []
    for slot in slots.range.reversed() {
      let address = unsafe slots.record.pointee.slots[slot].load(ordering: .relaxed)
      // A borrowed instance or a placeholder is no step of the path.
      if address & 1 == 0 {
        path.append(unsafe Binding.at(address)._withUnsafeGuaranteedRef { $0.identity })
      }
      if isStart(address) { return (path.reversed(), true) }
    }
    return (path.reversed(), false)
  }
}
