/// The part of a *substitute*: a container that keeps instances for an override layer, in place of another container.
final class Substitution: Sendable {
  /// The container in whose place it keeps them.
  let container: Container
  /// The number of layers around the layer. An instance of a layer may be made from those of the layers around it.
  let depth: Int
  /// Called with the substitute when it has ended.
  let onEnd: @Sendable (Container) -> Void

  init(for container: Container, at depth: Int, onEnd: @escaping @Sendable (Container) -> Void = { _ in }) {
    self.container = container
    self.depth = depth
    self.onEnd = onEnd
  }
}
