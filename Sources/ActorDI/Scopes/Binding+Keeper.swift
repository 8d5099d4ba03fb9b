// Whose an instance is: that of the container in which its registration stands, or of one that is asked for it.
extension Binding {
  /// The container that keeps the instance for one that is asked; nil when none has the name of its scope.
  final func keeper(for asked: Container) -> Container? {
    switch descriptor.scope.kind {
    case .scopedByName(let name): sequence(first: asked, next: \.parent).first { $0.name == name }
    case .scoped, .pooled, .transient, .graph: asked
    case .shared, .singleton, .automatic, .managed: unsafe owner
    }
  }

  /// The container whose registrations an instance is built with: its own for one that lives as long as that, or longer than others
  /// (CONTRACT: a parent's singleton never sees a child's overrides); else the one that keeps it, or is asked.
  final func container(for resolver: Resolver) -> Container {
    if descriptor.scope.isBuiltByOwner { return ownContainer }
    return keeper(for: resolver.container) ?? resolver.container
  }

  /// The cell that does not depend on arguments, of the container that keeps the instance for one that is asked, if anything was
  /// ever built in it.
  final func existingCell(for asked: Container) -> OnceCell? {
    let stand = primary?.standIn(asking: asked)
    defer { withExtendedLifetime(stand) {} }
    let binding = stand?.binding ?? instanceOwner
    let placement = binding.placement(asking: asked)
    guard let keeper = placement?.keeper ?? binding.keeper(for: asked) else { return nil }
    return unsafe keeper === binding.owner
      ? binding.existingCell : keeper.lifecycle.cells.existingCell(of: binding)
  }
}
