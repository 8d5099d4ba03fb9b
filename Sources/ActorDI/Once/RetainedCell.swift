/// A cell, with references to its keeper and its holder. The cell itself retains neither, because they hold it.
struct RetainedCell: Sendable {
  let cell: OnceCell
  let keeper: (any LifecycleOwner)?
  private let holder: InstanceHolder?

  init(_ cell: OnceCell) {
    self.cell = cell
    keeper = cell.keeper
    holder = cell.storage.holder
  }
}
