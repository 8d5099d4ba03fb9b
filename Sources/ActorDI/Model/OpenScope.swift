internal import CActorDI

/// A scope whose ``Container/withScope(_:_:operation:)`` operation has not returned, that is extended, or that ``KeyedScopes`` has opened.
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

  /// Nil for a scope that has no key.
  private let status: KeyedScopeStatus?

  /// Creates the value and computes the scope's age.
  ///
  /// - Parameters:
  ///   - openedAt: The time of opening, by the clock of `actordi_tick`.
  ///   - now: The present time, by the same clock.
  init(
    _ id: UInt64, _ name: String, in container: String, _ openedAt: UInt64, _ status: KeyedScopeStatus?,
    at now: UInt64 = actordi_tick()
  ) {
    self.id = id
    self.name = name
    self.container = container
    self.openedAt = openedAt
    self.status = status
    age = .nanoseconds(now > openedAt ? now - openedAt : 0)
  }

  /// The number of operations in progress: 1 for a scope of ``Container/withScope(_:_:operation:)``, also while it is extended.
  ///
  /// A scope of ``KeyedScopes`` has none while it is idle, while it opens or ends, and while operations run only in scopes below it.
  public var uses: Int { status?.uses ?? 1 }

  /// The time since the end of the last operation, by ``Container/Configuration/clock``; nil unless the scope is idle.
  ///
  /// Only a scope of ``KeyedScopes`` can be idle.
  public var idleFor: Duration? { status?.idleFor }

  /// The key of a scope of ``KeyedScopes``; nil for any other scope.
  ///
  /// A key can be personal data, such as the name of a user. So ``description`` does not contain it.
  public var key: (any Hashable & Sendable)? { status?.key.value }

  /// The same scope at present.
  ///
  /// - Parameter status: The present status of a scope that has a key.
  func now(_ status: KeyedScopeStatus?) -> OpenScope { OpenScope(id, name, in: container, openedAt, status) }

  /// One line of text, such as `scope "request" (17) in container "app", open for 12.3 s`, with the idle time of an idle scope.
  public var description: String {
    let idle = idleFor.map { ", idle for \($0.brief)" } ?? ""
    return "scope \"\(name)\" (\(id)) in container \"\(container)\", open for \(age.brief)\(idle)"
  }
}
