/// One service of a resolution path: of an event's, or of an error's.
public struct ResolutionStep: Sendable, Hashable, CustomStringConvertible {
  let identity: ServiceIdentity

  /// The type that the service is found under.
  public var service: any Any.Type { identity.service }

  /// The key that it is found under.
  public var key: (any Hashable & Sendable)? { identity.key?.value }

  /// The types of its run-time arguments, in order.
  public var arguments: [any Any.Type] { identity.arguments }

  /// For example `Greeting(String)["formal"]`.
  public var description: String { identity.description }
}
