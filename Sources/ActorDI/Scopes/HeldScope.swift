/// The scope of a registration, as the parts of a container hold it.
///
/// A ``Scope`` with a name has it in a box. Threads that open scopes would contend for the box of each registration that they use. But the
/// container that keeps an instance of such a scope has the name itself.
struct HeldScope: Sendable {
  /// Nil for a scope that names the container.
  private let unnamed: Scope?

  /// Holds a scope.
  ///
  /// - Parameters:
  ///   - isNamed: Whether the scope names the container.
  ///   - scope: The scope, evaluated if it names none.
  init(isNamed: Bool, _ scope: @autoclosure () -> Scope) { unnamed = isNamed ? nil : scope() }

  /// The scope.
  ///
  /// - Parameter lifecycle: The lifecycle of the container that keeps the instance.
  func scope(in lifecycle: Lifecycle) -> Scope { unnamed ?? .scoped(ScopeName(lifecycle.owner?.name ?? "")) }
}
