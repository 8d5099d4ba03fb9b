internal import CActorDI

/// A scope whose ``Container/withScope(_:_:operation:)`` operation has not returned, or that is extended.
///
/// See ``Container/openScopes``.
public struct OpenScope: Sendable, Identifiable, CustomStringConvertible {
  /// The number of the scope's container, unique in the process: see ``Container/id``.
  public let id: UInt64

  /// The scope's name.
  public let name: String

  /// The name of the container in which the scope was opened.
  public let container: String

  /// How long the scope has been open, to within some milliseconds.
  public let age: Duration

  private let openedAt: UInt64

  /// Creates the value and computes the scope's age.
  ///
  /// - Parameter openedAt: The time of opening, by the clock of `actordi_tick`.
  init(_ id: UInt64, _ name: String, in container: String, _ openedAt: UInt64) {
    self.id = id
    self.name = name
    self.container = container
    self.openedAt = openedAt
    let now = actordi_tick()
    age = .nanoseconds(now > openedAt ? now - openedAt : 0)
  }

  /// The same scope with its current age.
  var now: OpenScope { OpenScope(id, name, in: container, openedAt) }

  /// One line of text, such as `scope "request" (17) in container "app", open for 12.3 s`.
  public var description: String { "scope \"\(name)\" (\(id)) in container \"\(container)\", open for \(age.brief)" }
}
