/// The name of a scope, which ``Container/withScope(_:_:operation:)`` opens and ``Scope/scoped(_:)`` refers to.
///
/// Both take a string literal. A name that is declared once cannot be misspelled:
///
/// ```swift
/// extension ScopeName {
///   static let request: Self = "request"
/// }
///
/// let app = Container {
///   Registration(autowired: Handler.self, scope: .scoped(.request), initializer: Handler.init)
/// }
/// try await app.withScope(.request) { request in … }
/// ```
@frozen
public struct ScopeName: Sendable, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
  /// The text of the name, which is also the name of the scope's container.
  public let description: String

  /// Creates a name from a text that is known only at run time.
  ///
  /// - Parameter text: The name of a container.
  @inlinable
  public init(_ text: String) { description = text }

  /// Creates a name from a string literal.
  ///
  /// - Parameter text: The name of a container.
  @inlinable
  public init(stringLiteral text: String) { description = text }
}
