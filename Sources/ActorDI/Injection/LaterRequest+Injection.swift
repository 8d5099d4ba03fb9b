// What an injected property has to know of its request beside how to make it.
extension LaterRequest {
  /// Whether it looks as if the resolve need not suspend. Then it is done on the caller's thread, so that a synchronous caller
  /// who comes meanwhile can wait for it.
  func isSynchronous(in container: Container) -> Bool {
    let dependency =
      identity.arguments.isEmpty
      ? Dependency(Service.self, key: identity.key) : Dependency(identity, .required)
    return container.targets(of: dependency).allSatisfy {
      $0.container.canBuildSynchronously($0.binding)
    }
  }

  /// What a property shows when there is nothing to resolve; nil when that is an error.
  static var absent: Service? { (Service.self as? any Absentable.Type)?.absent as? Service }
}

/// A type whose value may stand for a service that cannot be resolved.
private protocol Absentable {
  static var absent: Self { get }
}

extension Optional: Absentable {
  fileprivate static var absent: Wrapped? { nil }
}

extension Array: Absentable {
  fileprivate static var absent: [Element] { [] }
}
