internal import Synchronization

/// What one container keeps for registrations that stand in another one: its scoped instances.
struct BindingCells: ~Copyable, Sendable {
  struct Entry: Sendable {
    /// A cell does not keep its binding alive.
    let binding: Binding
    let cell: OnceCell?
    let argumentCells: ArgumentCells?

    /// Whether another container may have a use for it.
    var isReusable: Bool {
      guard cell != nil else { return false }
      return unsafe Unmanaged.passUnretained(binding)._withUnsafeGuaranteedRef {
        !$0.isRetired.load(ordering: .acquiring)
      }
    }

    var cells: [OnceCell] { cell.map { [$0] } ?? argumentCells?.all ?? [] }
  }

  /// A list, which most scopes are content with, and where each stands in it when it is long.
  // Not private: in a structure that is not copied, Swift 6.3.1 would emit a broken module for debugging.
  struct State: Sendable {
    var entries: [Entry] = []
    var places: [ObjectIdentifier: Int] = [:]

    static var longestSearch: Int { 8 }

    func place(of binding: Binding) -> Int? {
      guard entries.count <= Self.longestSearch else { return places[ObjectIdentifier(binding)] }
      for index in entries.indices where entries[index].binding === binding { return index }
      return nil
    }

    func entry(of binding: Binding) -> Entry? { place(of: binding).map { entries[$0] } }

    mutating func append(_ entry: Entry) {
      entries.append(entry)
      guard entries.count > Self.longestSearch else { return }
      if places.isEmpty {
        for (place, entry) in entries.enumerated() { places[ObjectIdentifier(entry.binding)] = place }
      } else {
        places[ObjectIdentifier(entry.binding)] = entries.count - 1
      }
    }
  }

  private let state = Lock(State())

  /// The cell of a registration, made now if there was none.
  ///
  /// - Parameters:
  ///   - values: the run-time arguments, if each tuple of them has an instance of its own.
  ///   - lifecycle: that of the container which keeps the instance.
  func cell(for binding: Binding, _ values: ArgumentValues?, in lifecycle: Lifecycle) -> OnceCell {
    if values == nil, let cell = existingCell(of: binding) { return cell }
    let entry = entry(of: binding) ?? add(binding, lifecycle)
    if let values, let cells = entry.argumentCells {
      return cells.cell(for: values) { Self.makeCell(binding, lifecycle) }
    }
    return entry.cell ?? Self.makeCell(binding, lifecycle)
  }

  /// The cell that does not depend on arguments, if anything was ever built in it.
  func existingCell(of binding: Binding) -> OnceCell? {
    state.withLock { state in state.place(of: binding).flatMap { state.entries[$0].cell } }
  }

  /// All cells.
  var all: [OnceCell] { state.withLock { $0.entries }.flatMap(\.cells) }

  /// Forgets what is kept for registrations that fit; those that have gone are not listed any more.
  func forget(where isWanted: (Binding) -> Bool) -> [DroppedInstance] {
    let old = state.withLock { state in
      let old = state.entries
      state = State()
      for entry in old where !entry.binding.isRetired.load(ordering: .acquiring) { state.append(entry) }
      return old
    }
    return old.filter { isWanted($0.binding) }.flatMap { $0.cells.flatMap { $0.forget() } }
  }

  /// Lets go of all instances, at the end of the container. The cells stay for the next scope, which has the same use for them; but for
  /// those of argument values, and of registrations that have gone.
  ///
  /// - Complexity: O(*n*) in cells.
  func close() {
    // The cells are emptied under the lock: it costs less than to hold each of them. What was in them goes after it.
    let left = state.withLock { state in
      var left = Left()
      for index in state.entries.indices {
        unsafe state.entries[index].cell.map { unsafe Unmanaged.passUnretained($0) }?._withUnsafeGuaranteedRef {
          $0.close(&left.instance, &left.dropped)
        }
        guard let cells = state.entries[index].argumentCells else { continue }
        for cell in cells.all { cell.close(&left.instance, &left.dropped) }
      }
      if !state.entries.indices.allSatisfy({ state.entries[$0].isReusable }) {
        left.entries = state.entries
        state = State()
        for entry in left.entries where entry.isReusable { state.append(entry) }
      }
      return left
    }
    left.dropped.release()
  }

  private struct Left {
    /// Of most cells the instance is all there is.
    var instance: Instance?
    var dropped: [DroppedInstance] = []
    var entries: [Entry] = []
  }

  private func entry(of binding: Binding) -> Entry? { state.withLock { $0.entry(of: binding) } }

  private func add(_ binding: Binding, _ lifecycle: Lifecycle) -> Entry {
    // Before the lock: storages may read a clock of the user's.
    let isPerArguments = binding.descriptor.keepsPerArguments
    let new = Entry(
      binding: binding, cell: isPerArguments ? nil : Self.makeCell(binding, lifecycle),
      argumentCells: isPerArguments ? ArgumentCells() : nil)
    return state.withLock { state in
      if let entry = state.entry(of: binding) { return entry }
      state.append(new)
      return new
    }
  }

  private static func makeCell(_ binding: Binding, _ lifecycle: Lifecycle) -> OnceCell {
    OnceCell(for: binding, keeping: binding.makeStorage(isPublished: false), in: lifecycle)
  }
}
