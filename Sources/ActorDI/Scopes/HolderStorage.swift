/// Keeps the instance in a holder, where readers find it in one load; for a binding's own, in its forwards as well.
///
/// `@unchecked Sendable` because it is only used under its cell's lock.
final class HolderStorage: InstanceStorage, @unchecked Sendable {
  /// Unowned, since the holder owns the cell that owns this; a build in flight keeps the holder alive.
  private unowned(unsafe) let holder: InstanceHolder
  private unowned(unsafe) let binding: Binding?

  /// - Parameter binding: the binding whose forwards show the instance, too; nil for none.
  init(_ holder: InstanceHolder, binding: Binding? = nil) {
    unsafe self.holder = holder
    unsafe self.binding = binding
  }

  private var forwards: [ForwardList.Forward] { unsafe binding?.forwards?.all ?? [] }

  func claim() -> OnceStateMachine.Claimed { unsafe holder.claim() }

  func load() -> Instance? { unsafe holder.current }

  func store(_ product: Product) -> [DroppedInstance] {
    let dropped = unsafe holder.show(product.instance)
    return dropped + product.forwarded.flatMap { $0.holder.show($0.instance) }
  }

  func take() -> [DroppedInstance] {
    unsafe holder.show(nil) + forwards.flatMap { $0.binding.show(nil) }
  }
}
