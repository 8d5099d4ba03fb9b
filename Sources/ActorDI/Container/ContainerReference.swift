/// A reference to a container that does not keep it alive.
///
/// ``Container/root`` lives until the process ends, and is referenced without a weak reference. The side table of a weak
/// reference would look like a leak to LeakSanitizer, which cannot read the table's encoded address in the object.
struct ContainerReference: Sendable {
  private let isRoot: Bool
  private weak let other: Container?

  init(_ container: Container) {
    isRoot = container === Container.root
    other = isRoot ? nil : container
  }

  /// Nil if the container has been deallocated.
  var container: Container? { isRoot ? Container.root : other }
}
