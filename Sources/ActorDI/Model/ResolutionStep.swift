/// One service in the resolution path of an event or error.
public struct ResolutionStep: Sendable, Hashable, CustomStringConvertible {
  let identity: ServiceIdentity

  /// The type under which the service was requested.
  public var service: any Any.Type { identity.service }

  /// The key under which the service was requested.
  public var key: (any Hashable & Sendable)? { identity.key?.value }

  /// The types of the run-time arguments, in order.
  public var arguments: [any Any.Type] { identity.arguments }

  /// A short text, such as `Greeting(String)["formal"]`.
  public var description: String { identity.description }
}
