/// A container that is not kept alive by who knows it.
///
/// ``Container/root``, which lives to the end of the process anyway, is told apart: the side table that a weak reference makes would look
/// like a leak to LeakSanitizer, which does not read how the runtime encodes its address in the object.
struct ContainerReference: Sendable {
  private let isRoot: Bool
  private weak let other: Container?

  init(_ container: Container) {
    isRoot = container === Container.root
    other = isRoot ? nil : container
  }

  /// Nil when the container is gone.
  var container: Container? { isRoot ? Container.root : other }
}
