/// A binding that was found, with the container that has it.
///
/// Retains both: while the binding is in use, its link may be cancelled and its container dropped. An object, because threads would contend
/// for the reference counts of the two with each copy.
@usableFromInline
final class Located: Sendable {
  let binding: Binding
  let container: Container
  /// The binding of another container that this one decorates, which is retained as well; nil if there is none.
  private let inner: Located?

  init(binding: Binding, container: Container, decorating inner: Located? = nil) {
    self.binding = binding
    self.container = container
    self.inner = inner
  }
}

extension Located {
  /// Whether a container or one above it has registered the binding, which then wraps no binding of another container.
  func isRegistered(inOrAbove container: Container) -> Bool { inner == nil && container.isSameOrBelow(self.container) }
}

extension Binding {
  /// The binding with its container, which is alive: the caller has found the binding there.
  var located: Located { unsafe Located(binding: self, container: owner) }
}
