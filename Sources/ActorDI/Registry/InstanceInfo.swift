/// What can be told of an instance that a container keeps: for an inspector.
public struct InstanceInfo: Sendable, CustomStringConvertible {
  let identity: ServiceIdentity

  /// The type that it is registered as.
  public var service: any Any.Type { identity.service }

  /// The key that it is registered under.
  public var key: (any Hashable & Sendable)? { identity.key?.value }

  /// The types of its run-time arguments, in order.
  public var arguments: [any Any.Type] { identity.arguments }

  /// The scope that it is registered in.
  public let scope: Scope

  /// The type of what was made, which conforms to ``service``, or is it.
  public let type: any Any.Type

  /// When it was created. Nil if the container was not observed then, since without an observer no clock is read.
  public let createdAt: ContinuousClock.Instant?

  /// How long its build took, dependencies built along the way included. Nil as ``createdAt`` is.
  public let buildDuration: Duration?

  init(_ identity: ServiceIdentity, _ scope: Scope, _ instance: Instance, _ times: BuildTimes?) {
    self.identity = identity
    self.scope = scope
    // As `Any`: of a value whose type is an existential, the type of what is in it.
    type = Swift.type(of: instance.anyValue)
    createdAt = times?.end
    buildDuration = times?.duration
  }

  /// For example `Store, singleton: SQLStore, built in 1.2 ms`.
  public var description: String {
    let text = "\(identity), \(scope): \(TypeName.short(type))"
    return buildDuration.map { "\(text), built in \($0.brief)" } ?? text
  }
}
