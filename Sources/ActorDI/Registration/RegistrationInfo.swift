/// What can be told of a registration without running it.
public struct RegistrationInfo: Sendable, CustomStringConvertible {
  let descriptor: Descriptor

  /// How long its instances are kept.
  public let scope: Scope

  /// The type that it is found under.
  public var service: any Any.Type { descriptor.identity.service }

  /// The key that it is found under.
  public var key: (any Hashable & Sendable)? { descriptor.identity.key?.value }

  /// The types of its run-time arguments, in order.
  public var arguments: [any Any.Type] { descriptor.identity.arguments }

  /// Where it was written.
  public var source: RegistrationSource { descriptor.source }

  /// For example `Greeting(String)["formal"], transient, at MyApp/Services.swift:12`.
  public var description: String {
    "\(descriptor.identity), \(scope), at \(source)"
  }
}
