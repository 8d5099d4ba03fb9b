/// What one publication of a container's registry changed.
///
/// A batch is one change. A registration that was replaced is in both lists: the old one in ``removed``, the new one in
/// ``added``. What ``Registration/implements(_:_:)-(Other.Type,_)`` adds is listed with its registration, once for each type.
public struct RegistryChange: Sendable, CustomStringConvertible {
  /// The registrations that are new, in order.
  public let added: [RegistrationInfo]

  /// The registrations that are gone, or replaced.
  public let removed: [RegistrationInfo]

  /// For example `+ Clock, singleton, at MyApp/Services.swift:12`, a line for each registration.
  public var description: String {
    (removed.map { "- \($0)" } + added.map { "+ \($0)" }).joined(separator: "\n")
  }
}
