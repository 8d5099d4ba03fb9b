/// Adds a test double beside a protocol: a final class `Unimplemented…` whose members record that they were called.
///
/// ```swift
/// @Unimplemented protocol Mailer: Sendable {
///   func send(_ text: String) async throws
/// }
/// ```
///
/// With `import ActorDIMacrosTesting`, a double records an issue of the running test:
///
/// ```swift
/// @Test(.container { Registration((any Mailer).self) { _ in UnimplementedMailer() } })
/// func browsingSendsNothing() async throws { … }
/// ```
///
/// After that, a throwing member throws ``UnimplementedMemberError``. A member that returns nothing returns; a member that returns an
/// optional, an array or a dictionary returns nil or an empty one. Any other member ends the program, because it has nothing to return.
///
/// The protocol must state all of its requirements itself, and must have no initialisers, static members or associated types.
@attached(peer, names: prefixed(Unimplemented))
public macro Unimplemented() = #externalMacro(module: "ActorDIMacrosPlugin", type: "UnimplementedMacro")

/// Adds a test double beside a protocol, whose throwing members throw a given error.
///
/// - Parameter error: The error, evaluated at each call.
@attached(peer, names: prefixed(Unimplemented))
public macro Unimplemented(throwing error: any Error) =
  #externalMacro(module: "ActorDIMacrosPlugin", type: "UnimplementedMacro")

/// A test double made by `@Unimplemented`.
public protocol UnimplementedDouble: AnyObject {
  /// Creates a double.
  ///
  /// - Parameter record: Receives the name of each member that is called, such as `Mailer.send(_:)`.
  init(record: @escaping @Sendable (String) -> Void)
}

/// The error of a throwing member of a test double.
public struct UnimplementedMemberError: Error, Hashable, CustomStringConvertible {
  /// The name of the member, such as `Mailer.send(_:)`.
  public let member: String

  /// Creates the error of a member.
  public init(_ member: String) { self.member = member }

  /// A message with the name of the member.
  public var description: String { "\(member) is not implemented for this test, but was called." }
}
