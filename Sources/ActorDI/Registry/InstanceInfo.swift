/// A description of an instance that a container keeps, for inspectors.
public struct InstanceInfo: Sendable, CustomStringConvertible {
  let identity: ServiceIdentity

  /// The type under which the service is registered.
  public var service: any Any.Type { identity.service }

  /// The key under which the service is registered.
  public var key: (any Hashable & Sendable)? { identity.key?.value }

  /// The types of the run-time arguments, in order.
  public var arguments: [any Any.Type] { identity.arguments }

  /// The scope of the registration.
  public let scope: Scope

  /// The dynamic type of the instance: ``service``, or a type that conforms to it or inherits from it.
  public let type: any Any.Type

  /// The time of creation. Nil if nothing observed the container then, since the clock is read for observers only.
  public let createdAt: ContinuousClock.Instant?

  /// The duration of the build, including dependencies built along the way. Nil if ``createdAt`` is.
  public let buildDuration: Duration?

  init(_ identity: ServiceIdentity, _ scope: Scope, _ instance: Instance, _ times: BuildTimes?) {
    self.identity = identity
    self.scope = scope
    // As `Any`, so that an existential yields the type of its payload.
    type = Swift.type(of: instance.anyValue)
    createdAt = times?.end.instant
    buildDuration = times?.duration
  }

  /// A one-line description, for example `Store, singleton: SQLStore, built in 1.2 ms`.
  public var description: String {
    let text = "\(identity), \(scope): \(TypeName.short(type))"
    return buildDuration.map { "\(text), built in \($0.brief)" } ?? text
  }
}
