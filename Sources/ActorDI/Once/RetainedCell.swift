/// A cell, with references to its owner and its holder. The cell itself retains neither, because they own it.
struct RetainedCell: Sendable {
  let cell: OnceCell
  let owner: (any LifecycleOwner)?
  private let holder: InstanceHolder?

  init(_ cell: OnceCell) {
    self.cell = cell
    owner = cell.owner
    holder = cell.storage.holder
  }
}
