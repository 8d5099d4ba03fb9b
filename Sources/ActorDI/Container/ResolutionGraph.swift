/// The instances of one call tree: those in `.graph` scope, and weakly kept ones that must live until the call ends.
final class ResolutionGraph: Sendable {
  private struct State: ~Copyable {
    var slots = GraphSlots()
    /// The slots by their names, if there are more than ``mostSearched``.
    var table: [GraphSlot.Name: GraphSlot]?
    var retained: [Instance] = []
    var hasEnded: Bool
    /// The number of uses in progress that may outlast the call: builds in tasks, which a cancelled caller leaves, and calls of a ``Lazy``.
    var openUses = 0

    init(hasEnded: Bool) { self.hasEnded = hasEnded }

    deinit { for slot in slots { slot.release() } }

    private static var mostSearched: Int { 16 }

    private func existingSlot(for name: GraphSlot.Name) -> GraphSlot? {
      if let table { table[name] } else { slots.first { $0.borrow { $0.name == name } }?.object }
    }

    // By an unheld reference: the callers' closures would retain the binding, and threads would contend for its reference count.
    mutating func slot(
      _ name: GraphSlot.Name, for binding: UnheldReference<Binding>, _ check: (_ others: GraphSlots) throws -> Void
    ) rethrows -> GraphSlot {
      if let slot = existingSlot(for: name) { return slot }
      try check(slots)
      let slot = binding.borrow { [slots] in GraphSlot(name, $0, after: slots) }
      slots.append(slot)
      if table != nil {
        table?[name] = slot
      } else if slots.count > Self.mostSearched {
        var table: [GraphSlot.Name: GraphSlot] = [:]
        for slot in slots { table[slot.object.name] = slot.object }
        self.table = table
      }
      return slot
    }
  }

  private let state: Lock<State>

  /// Creates a graph.
  ///
  /// - Parameter hasEnded: Whether no call is in progress that ends the graph.
  init(hasEnded: Bool = false) { state = Lock(State(hasEnded: hasEnded)) }

  /// The slot in which the call tree keeps its instance of a `.graph` service, made on first use.
  ///
  /// - Parameters:
  ///   - lifecycle: The lifecycle that disposes of the instance: that of the container which builds the service, or of its substitute under
  ///     overrides. A kept service is built with the registrations of its owner or its keeper, so it shares no instance with the services
  ///     of the container that asks for it, which may end earlier.
  ///   - check: Runs before the slot is made, under the graph's lock. Its argument is the graph's other slots.
  func slot(
    for binding: Binding, in lifecycle: Lifecycle, check: (_ others: GraphSlots) throws -> Void
  ) throws -> GraphSlot {
    let name = GraphSlot.Name(binding, in: lifecycle)
    let reference = UnheldReference(binding)
    return try state.withLock { try $0.slot(name, for: reference, check) }
  }

  /// The slot for a binding, and the instance that it shows. Nil once the call has ended: a ``Lazy`` then takes the slow path.
  // The instance is retained under the graph's lock. A slot no longer shows its instance when `endCall` releases it.
  func slotInCall(for binding: Binding, in lifecycle: Lifecycle) -> (slot: GraphSlot, instance: Instance?)? {
    let name = GraphSlot.Name(binding, in: lifecycle)
    let reference = UnheldReference(binding)
    return state.withLock { state in
      if state.hasEnded { return nil }
      let slot = state.slot(name, for: reference) { _ in }
      return (slot, slot.current)
    }
  }

  /// Holds a weakly kept instance until the call ends.
  ///
  /// Otherwise an instance with only weak back references would be gone before its resolve returns.
  func retain(_ instance: Instance) { state.withLock { $0.retained.append(instance) } }

  /// Ends the call. Releases what was held for it, unless another use is in progress.
  ///
  /// - Parameter mayBelongToLazy: Whether a ``Lazy`` may still keep the graph.
  func endCall(mayBelongToLazy: Bool = true) {
    state.withLock { $0.hasEnded = true }
    releaseIfEnded(mayBelongToLazy: mayBelongToLazy)
  }

  /// Releases what was held for the call, if the call and all other uses have ended.
  private func releaseIfEnded(mayBelongToLazy: Bool = true) {
    let (slots, _) = state.withLock { state -> (GraphSlots, [Instance]) in
      guard state.hasEnded && state.openUses == 0 else { return (GraphSlots(), []) }
      return (state.slots, exchange(&state.retained, with: []))
    }
    for slot in slots { slot.borrow { $0.endCall(mayBelongToLazy: mayBelongToLazy) } }
  }

  /// Begins a use that may outlast the call.
  func beginUse() { state.withLock { $0.openUses += 1 } }

  /// Ends a use. The last one after the end of the call releases what was held for the call.
  func endUse() {
    passUse()
    releaseIfEnded()
  }

  /// Ends a use that another one continues, and which therefore releases nothing.
  func passUse() { state.withLock { $0.openUses -= 1 } }
}

/// The slots of a graph, the last one first. They are valid while the graph is.
///
/// The graph retains each slot once; the links are plain addresses. So most graphs need no memory for a list, and a long list is not
/// released recursively.
struct GraphSlots: BitwiseCopyable, Sendable, Sequence, IteratorProtocol {
  fileprivate var last: UnheldReference<GraphSlot>?
  private(set) var count = 0

  /// Appends a slot that was made to follow these, and retains it.
  mutating func append(_ slot: GraphSlot) {
    last = UnheldReference(retaining: slot)
    count += 1
  }

  // The next slot is known before the caller gets this one, which it may release.
  mutating func next() -> UnheldReference<GraphSlot>? {
    guard let slot = last else { return nil }
    last = slot.borrow(\.previous)
    return slot
  }
}

/// The holder of an instance that a call tree keeps. No reader takes the instance under a pin: it is retained under a lock
/// of the graph or of the cell.
///
/// A slot refers to its registration and to the container by number only. If slots retained them, concurrent calls would contend for
/// their reference counts.
///
/// `@unchecked Sendable` like its superclass; the additional fields are immutable.
final class GraphSlot: InstanceHolder, @unchecked Sendable {
  /// The registration's number, and that of the lifecycle which disposes of the instance.
  struct Name: Hashable {
    let binding: KeptNumber
    private let lifecycle: UInt64

    // Borrowing: an initialiser owns its parameters otherwise, and calls would contend for the reference counts.
    init(_ binding: borrowing Binding, in lifecycle: borrowing Lifecycle) {
      self.binding = binding.keptNumber
      self.lifecycle = lifecycle.number
    }
  }

  let name: Name
  /// The slot before this one in the graph.
  fileprivate let previous: UnheldReference<GraphSlot>?
  private let identity: ServiceIdentity
  /// The registration's binding.
  private let binding: BindingID
  private let ownArgumentCells: ArgumentCells?
  override var argumentCells: ArgumentCells? { ownArgumentCells }

  // Borrowing: an initialiser owns its parameters otherwise, and calls would contend for the binding's reference count.
  init(_ name: Name, _ binding: borrowing Binding, after others: GraphSlots) {
    self.name = name
    previous = others.last
    identity = binding.identity
    self.binding = binding.id
    ownArgumentCells = binding.keepsPerArguments ? ArgumentCells() : nil
  }

  override func makeCell() -> OnceCell {
    // A cell for one tuple of arguments does not show its instance in the slot, which has only one place for it.
    let storage = InstanceStorage(.graph, in: argumentCells == nil ? self : nil)
    return OnceCell(identity, binding: binding, keeping: storage, membership: nil, in: nil)
  }

  /// Returns the cell for the run-time arguments of a call, made on first use.
  ///
  /// - Parameter values: The arguments, if each tuple of them has its own instance; nil otherwise.
  func cell(for values: ArgumentValues?) -> OnceCell { cell(for: values, orMake: makeCell) }

  func endCall(mayBelongToLazy: Bool) {
    // The cell can keep the instance weakly, for a ``Lazy``, also if another task still builds it.
    if mayBelongToLazy && word != .free { _ = ownCell }
    // Without an array of all cells: a call may have many slots.
    existingCell?.endCall()
    argumentCells?.all.forEach { $0.endCall() }
  }
}
