internal import Synchronization

/// What one container keeps for registrations that stand in another one: its scoped instances.
final class BindingCells: Sendable {
  private struct Entry: Sendable {
    /// A cell does not keep its binding alive.
    let binding: Binding
    let cell: OnceCell?
    let argumentCells: ArgumentCells?

    var cells: [OnceCell] { cell.map { [$0] } ?? argumentCells?.all ?? [] }
  }

  private let entries = Lock<[ObjectIdentifier: Entry]>([:])

  /// The cell of a registration, made now if there was none.
  ///
  /// - Parameter values: the run-time arguments, if each tuple of them has an instance of its own.
  func cell(for binding: Binding, _ values: ArgumentValues?, in lifecycle: Lifecycle) -> OnceCell {
    let entry = entry(of: binding) ?? add(binding, lifecycle)
    if let values, let cells = entry.argumentCells {
      return cells.cell(for: values) { Self.makeCell(binding, lifecycle) }
    }
    return entry.cell ?? Self.makeCell(binding, lifecycle)
  }

  /// The cell that does not depend on arguments, if anything was ever built in it.
  func existingCell(of binding: Binding) -> OnceCell? { entry(of: binding)?.cell }

  /// All cells.
  var all: [OnceCell] { entries.withLock { Array($0.values) }.flatMap(\.cells) }

  /// Forgets what is kept for registrations that fit; those that have gone are not listed any more.
  func forget(where isWanted: (Binding) -> Bool) -> [DroppedInstance] {
    let (wanted, _) = entries.withLock { entries in
      let old = entries
      entries = old.filter { $0.value.binding.isListed.load(ordering: .acquiring) }
      return (old.values.filter { isWanted($0.binding) }, old)
    }
    return wanted.flatMap { $0.cells.flatMap { $0.forget() } }
  }

  /// Forgets everything.
  func removeAll() -> [DroppedInstance] {
    let old = entries.withLock { entries in
      let old = entries
      entries = [:]
      return old
    }
    return old.values.flatMap { $0.cells.flatMap { $0.forget() } }
  }

  private func entry(of binding: Binding) -> Entry? {
    entries.withLock { $0[ObjectIdentifier(binding)] }
  }

  private func add(_ binding: Binding, _ lifecycle: Lifecycle) -> Entry {
    // Before the lock: storages may read a clock of the user's.
    let isPerArguments = binding.descriptor.keepsPerArguments
    let new = Entry(
      binding: binding, cell: isPerArguments ? nil : Self.makeCell(binding, lifecycle),
      argumentCells: isPerArguments ? ArgumentCells() : nil)
    return entries.withLock { entries in
      if let entry = entries[ObjectIdentifier(binding)] { return entry }
      entries[ObjectIdentifier(binding)] = new
      return new
    }
  }

  private static func makeCell(_ binding: Binding, _ lifecycle: Lifecycle) -> OnceCell {
    OnceCell(for: binding, keeping: binding.makeStorage(isPublished: false), in: lifecycle)
  }
}
