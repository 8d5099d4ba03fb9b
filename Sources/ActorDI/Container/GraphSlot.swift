/// The holder of an instance that a call tree keeps.
///
/// `@unchecked Sendable` as its superclass: what it adds is immutable.
final class GraphSlot: InstanceHolder, @unchecked Sendable {
  /// Retained, so that its identifier is not reused.
  private let binding: Binding
  private let ownArgumentCells: ArgumentCells?
  override var argumentCells: ArgumentCells? { ownArgumentCells }

  init(_ binding: Binding) {
    self.binding = binding
    ownArgumentCells = binding.keepsPerArguments ? ArgumentCells() : nil
  }

  override func makeCell() -> OnceCell { OnceCell(for: binding, keeping: InstanceStorage(.graph, in: self), in: nil) }

  /// Returns the cell for the run-time arguments of a call, made on first use.
  ///
  /// - Parameter values: The arguments, if each tuple of them has its own instance; nil otherwise.
  func cell(for values: ArgumentValues?) -> OnceCell {
    if values == nil { return ownCell }
    return cell(for: values) { OnceCell(for: binding, keeping: InstanceStorage(.graph), in: nil) }
  }

  func endCall(isInUse: Bool) {
    // The cell can keep the instance weakly, for a ``Lazy``.
    if isInUse && shown != 0 { _ = ownCell }
    for cell in cells { cell.endCall() }
  }
}
