/// Something that happened in a container: what is registered, made, waited for, disposed of and reset; the scopes that are opened and closed.
///
/// ```swift
/// switch event.kind {
/// case .created(let duration): histogram(event.service).record(duration)
/// case .failed(let error, _): log.error("\(event): \(error)")
/// default: break
/// }
/// ```
///
/// Events come from ``Container/events(bufferingNewest:)``, and to ``ContainerObserver/container(_:didEmit:)-(_,ContainerEvent)``.
public struct ContainerEvent: Sendable, CustomStringConvertible {
  /// What happened, with what only events of its kind have.
  ///
  /// There may be more kinds some day, so a `switch` needs a `default`. What the kinds have in common, and whatever is
  /// added to them, is a property of the event.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Kind: Sendable {
    /// A registration stands. One that replaces another one comes after the ``unregistered`` of that one.
    case registered

    /// A registration is gone, or replaced.
    case unregistered

    /// An instance is about to be made: its factory runs next. Either ``created(duration:)`` or ``failed(error:duration:)`` follows.
    case building

    /// Factory and hooks have made an instance. It takes so long, its dependencies included that are made on the way.
    ///
    /// One event for each instance that the container makes, in whatever scope; none for an instance that was registered as such, nor for one
    /// that is shown by `implements`. Of a decorated service, it is the wrapped instance that is created.
    case created(duration: Duration)

    /// The factory has failed, or a hook, or what they resolve: each service on the way to the cause fails in turn.
    case failed(error: any Error, duration: Duration)

    /// Somebody has waited for an instance that was being built for somebody else; the end of the wait may be the instance, an error or its
    /// own cancellation.
    case waited(duration: Duration)

    /// An instance that the container made was disposed of; the error is the first that this threw. One that has nothing to dispose of
    /// is let go of without an event.
    case disposed(duration: Duration, error: (any Error)?)

    /// Kept instances were dropped: all, those of a scope, or that of a service.
    case reset

    /// A scope was opened: the container of the event.
    case opened

    /// A scope has ended, so long after it was opened, and what it made is disposed of.
    case closed(duration: Duration, outcome: ScopeOutcome)
  }

  /// What happened.
  public let kind: Kind

  /// The name of the container in which it happened: for a kept instance the one that keeps it, for any other the one that was asked.
  public let container: String

  /// The number of that container: see ``Container/id``. It tells a scope from others of its name.
  public let containerID: UInt64

  /// The scope of the instance or registration; of a ``Kind/reset`` the scope that was reset, nil for all of them.
  public let scope: Scope?

  private let identity: ServiceIdentity?
  private let identities: [ServiceIdentity]

  init(
    _ kind: Kind, in container: String, _ containerID: UInt64, of identity: ServiceIdentity?, _ scope: Scope?,
    path: [ServiceIdentity]
  ) {
    self.kind = kind
    self.container = container
    self.containerID = containerID
    self.identity = identity
    self.scope = scope
    identities = path
  }

  // Not inlined: in the loops of other modules, what they do with an optional of the event crashes the optimiser of 6.3.1 (CopyPropagation).

  /// The type that the service is found under; nil for a scope, and for a ``Kind/reset`` of more than one service.
  @inline(never)
  public var service: (any Any.Type)? { identity?.service }

  /// The key that it is found under.
  @inline(never)
  public var key: (any Hashable & Sendable)? { identity?.key?.value }

  /// The types of its run-time arguments, in order.
  @inline(never)
  public var arguments: [any Any.Type] { identity?.arguments ?? [] }

  /// The services under construction, from the root to the one that the event is about; empty for what nobody resolves.
  ///
  /// - Complexity: O(*n*): it is put into words when it is asked for.
  public var path: [String] { identities.map(\.description) }

  /// The same as values: types and keys rather than text.
  ///
  /// - Complexity: O(*n*)
  public var steps: [ResolutionStep] { identities.map { ResolutionStep(identity: $0) } }

  /// How long it took.
  @inline(never)
  public var duration: Duration? {
    switch kind {
    case .created(let duration), .failed(_, let duration), .waited(let duration), .disposed(let duration, _),
      .closed(let duration, _):
      duration
    case .registered, .unregistered, .building, .reset, .opened: nil
    }
  }

  /// Why it failed.
  @inline(never)
  public var error: (any Error)? {
    switch kind {
    case .failed(let error, _): error
    case .disposed(_, let error): error
    case .closed(_, .failed(let error)): error
    case .registered, .unregistered, .building, .created, .waited, .reset, .opened, .closed: nil
    }
  }

  /// One line, for example `[app] created Store, singleton, in 1.2 ms: Server -> Store`.
  public var description: String {
    var text = "[\(container)] \(verb)"
    if let identity { text += " \(identity)" }
    if let scope { text += ", \(scope)".dropFirst(identity == nil ? 1 : 0) }
    if let duration { text += ", in \(duration.brief)" }
    if identities.count > 1 { text += ": " + path.joined(separator: " -> ") }
    if let error {
      text += "; " + "\(error)".split(whereSeparator: \.isNewline).joined(separator: " ")
    }
    return text
  }

  private var verb: String {
    switch kind {
    case .registered: "registered"
    case .unregistered: "unregistered"
    case .building: "building"
    case .created: "created"
    case .failed: "failed"
    case .waited: "waited for"
    case .disposed: "disposed of"
    case .reset: "reset"
    case .opened: "opened"
    case .closed(_, let outcome): "closed, \(outcome.brief)"
    }
  }
}
