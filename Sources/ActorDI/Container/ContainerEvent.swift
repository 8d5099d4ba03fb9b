/// An event in a container, about a registration, an instance or a scope.
///
/// ```swift
/// switch event.kind {
/// case .created(let duration): histogram(event.service).record(duration)
/// case .failed(let error, _): log.error("\(event): \(error)")
/// default: break
/// }
/// ```
///
/// ``Container/events(bufferingNewest:)`` returns a stream of events. Observers receive them by
/// ``ContainerObserver/container(_:didEmit:)-(_,ContainerEvent)``.
public struct ContainerEvent: Sendable, CustomStringConvertible {
  /// The kind of an event, with the values that only events of this kind have.
  ///
  /// Later versions may add kinds, so a `switch` needs a `default`. Values that kinds have in common, and any that are
  /// added to them, are properties of the event.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Kind: Sendable {
    /// A registration was added. If it replaces another one, the ``unregistered`` event of that one comes first.
    case registered

    /// A registration was removed or replaced.
    case unregistered

    /// The factory of an instance is about to run. Either ``created(duration:)`` or ``failed(error:duration:)``
    /// follows.
    case building

    /// A factory and its hooks have made an instance. The duration includes dependencies built along the way.
    ///
    /// There is one event for each instance that the container makes, in whatever scope. There is none for a registered
    /// instance, nor for an alias made by `implements`. For a decorated service, the event is about the wrapped
    /// instance.
    case created(duration: Duration)

    /// A build has failed, in the factory, in a hook or in a dependency. Each service on the path to the cause fails in
    /// turn.
    ///
    /// A build that synchronous code could not finish fails if no asynchronous caller continues it: at a reset, at the
    /// shutdown of its container or, in the scope ``Scope/graph``, at the end of its call. The end of an open scope ends such
    /// builds without an event of their own.
    case failed(error: any Error, duration: Duration)

    /// A caller has waited for an instance that was being built for another caller. The wait may have ended with the
    /// instance, with an error or with the caller's cancellation.
    case waited(duration: Duration)

    /// An instance that the container made was disposed of; `error` is the first error of its disposal. An instance
    /// with nothing to dispose of is released without an event.
    case disposed(duration: Duration, error: (any Error)?)

    /// Kept instances were dropped: all of them, those of a scope, or that of a service.
    case reset

    /// A scope was opened. It is the container of the event.
    case opened

    /// A scope has ended, and its instances are disposed of. The duration is the time since the scope was opened. The outcome is the one
    /// that the disposers got.
    case closed(duration: Duration, outcome: ScopeOutcome)
  }

  /// The kind of the event.
  public let kind: Kind

  /// The name of the container of the event: for a kept instance the container that keeps it, otherwise the container resolved from.
  public let container: String

  /// The number of that container, which distinguishes scopes of one name: see ``Container/id``.
  public let containerID: UInt64

  /// The scope of the instance or registration. For a ``Kind/reset`` event, the scope that was reset; nil for all
  /// scopes.
  public let scope: Scope?

  let identity: ServiceIdentity?
  let identities: [ServiceIdentity]
  /// The number of the build; 0 for none.
  let build: UInt64
  let parentBuild: UInt64

  // Not inlined: in loops of other modules, uses of an optional property of an event crash the optimiser of Swift 6.3.1
  // (CopyPropagation).

  /// The type under which the service is found. Nil for events of a scope, and for a ``Kind/reset`` of several
  /// services.
  @inline(never)
  public var service: (any Any.Type)? { identity?.service }

  /// The key under which the service is found.
  @inline(never)
  public var key: (any Hashable & Sendable)? { identity?.key?.value }

  /// The types of the run-time arguments, in order.
  @inline(never)
  public var arguments: [any Any.Type] { identity?.arguments ?? [] }

  /// The number of the build, unique in the process: the same for its beginning and its end. Nil for other events.
  @inline(never)
  public var buildID: UInt64? { build == 0 ? nil : build }

  /// The number of the build whose factory has requested this one; nil if there is none, or if it is not reported.
  @inline(never)
  public var parentBuildID: UInt64? { parentBuild == 0 ? nil : parentBuild }

  /// The services under construction, from the root to the event's service. Empty for an event outside of a resolve.
  ///
  /// - Complexity: O(*n*), since each access creates the text.
  public var path: [String] { identities.map(\.description) }

  /// The services under construction as values: types and keys rather than text.
  ///
  /// - Complexity: O(*n*)
  public var steps: [ResolutionStep] { identities.map { ResolutionStep(identity: $0) } }

  /// The duration of the build, wait, disposal or scope; nil for other events.
  @inline(never)
  public var duration: Duration? {
    switch kind {
    case .created(let duration), .failed(_, let duration), .waited(let duration), .disposed(let duration, _),
      .closed(let duration, _):
      duration
    case .registered, .unregistered, .building, .reset, .opened: nil
    }
  }

  /// The error of the build, disposal or scope; nil if there is none.
  @inline(never)
  public var error: (any Error)? {
    switch kind {
    case .failed(let error, _): error
    case .disposed(_, let error): error
    case .closed(_, .failed(let error)): error
    case .registered, .unregistered, .building, .created, .waited, .reset, .opened, .closed: nil
    }
  }

  /// A one-line description, for example `[app] created Store, singleton, in 1.2 ms: Server -> Store`.
  public var description: String {
    var text = "[\(container)] \(verb)"
    if let identity { text += " \(identity)" }
    if let scope { text += ", \(scope)".dropFirst(identity == nil ? 1 : 0) }
    if let duration { text += ", in \(duration.brief)" }
    if identities.count > 1 { text += ": " + path.joined(separator: " -> ") }
    if let error { text += "; \(oneLine(error))" }
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
    case .closed(_, let outcome): "closed, \(outcome.name)"
    }
  }
}
