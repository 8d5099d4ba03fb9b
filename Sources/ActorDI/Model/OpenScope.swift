internal import CActorDI

/// A scope that is open: the operation of its ``Container/withScope(_:_:operation:)`` has not returned. See ``Container/openScopes``.
public struct OpenScope: Sendable, Identifiable, CustomStringConvertible {
  /// The number of the scope's container, unique in the process: see ``Container/id``.
  public let id: UInt64

  /// The scope's name.
  public let name: String

  /// The name of the container that it was opened in.
  public let container: String

  /// How long it has been open, to within some milliseconds.
  public let age: Duration

  private let openedAt: UInt64

  /// - Parameter openedAt: by the clock of `actordi_tick`.
  init(_ id: UInt64, _ name: String, in container: String, _ openedAt: UInt64) {
    self.id = id
    self.name = name
    self.container = container
    self.openedAt = openedAt
    let now = actordi_tick()
    age = .nanoseconds(now > openedAt ? now - openedAt : 0)
  }

  /// The same scope, as old as it is now.
  var now: OpenScope { OpenScope(id, name, in: container, openedAt) }

  /// One line, for example `scope "request" (17) in container "app", open for 12.3 s`.
  public var description: String { "scope \"\(name)\" (\(id)) in container \"\(container)\", open for \(age.brief)" }
}
