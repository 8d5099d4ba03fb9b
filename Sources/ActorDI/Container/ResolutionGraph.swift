/// The instances of one call tree: those in `.graph` scope, and weakly kept ones that must live until the call ends.
final class ResolutionGraph: Sendable {
  private struct State: Sendable {
    /// Retains the bindings, so that their identifiers are not reused.
    var cells: [ObjectIdentifier: (binding: Binding, cell: OnceCell)] = [:]
    var argumentCells: [ObjectIdentifier: (binding: Binding, cells: ArgumentCells)] = [:]
    var retained: [Instance] = []
  }

  private let state = Lock(State())

  /// The cell in which the call tree keeps its instance of a `.graph` service.
  ///
  /// - Parameters:
  ///   - values: The run-time arguments, if each tuple of them has its own instance; nil otherwise.
  ///   - check: Runs before the first use of the binding in this call tree, under the graph's lock.
  func cell(for binding: Binding, _ values: ArgumentValues?, check: () throws -> Void) throws -> OnceCell {
    guard let values else { return try cell(for: binding, check) }
    let cells = state.withLock { state in
      let id = ObjectIdentifier(binding)
      if let entry = state.argumentCells[id] { return entry.cells }
      let cells = ArgumentCells()
      state.argumentCells[id] = (binding, cells)
      return cells
    }
    return cells.cell(for: values) { OnceCell(for: binding, keeping: InstanceStorage(.graph), in: nil) }
  }

  private func cell(for binding: Binding, _ check: () throws -> Void) throws -> OnceCell {
    try state.withLock { state in
      let id = ObjectIdentifier(binding)
      if let entry = state.cells[id] { return entry.cell }
      try check()
      let cell = OnceCell(for: binding, keeping: InstanceStorage(.graph), in: nil)
      state.cells[id] = (binding, cell)
      return cell
    }
  }

  /// Holds a weakly kept instance until the call ends.
  ///
  /// Otherwise an instance with only weak back references would be gone before its resolve returns.
  func retain(_ instance: Instance) {
    state.withLock { $0.retained.append(instance) }
  }

  /// Releases what was held for the call, which has ended. A ``Lazy`` may still keep the graph.
  func endCall() {
    let (cells, argumentCells, _) = state.withLock { state in
      (state.cells.values.map(\.cell), state.argumentCells.values.map(\.cells), exchange(&state.retained, with: []))
    }
    for cell in cells { cell.endCall() }
    for cell in argumentCells.flatMap(\.all) { cell.endCall() }
  }
}
