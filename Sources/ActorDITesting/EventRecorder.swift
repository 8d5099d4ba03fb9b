public import ActorDI
import Synchronization

/// Keeps what happens in containers, for a test to look at.
///
/// ```swift
/// let recorder = EventRecorder()
/// let container = Container(configuration: .init(observer: recorder)) { … }
/// …
/// #expect(recorder.created(Database.self).count == 1)     // built once
/// ```
///
/// What was told before a resolve has returned is there when it has. A container that exists already can be followed for the time of an
/// operation: ``events(in:during:)``.
public final class EventRecorder: ContainerObserver {
  private struct State: Sendable {
    var events: [ContainerEvent] = []
    var registered: [RegistrationInfo] = []
    var unregistered: [RegistrationInfo] = []
  }

  private let state = Mutex(State())

  /// A recorder, for ``ActorDI/Container/Configuration/observer``.
  public init() {}

  // MARK: Looking

  /// What has happened so far, in order.
  public var events: [ContainerEvent] { state.withLock { $0.events } }

  /// What was registered so far, in order.
  public var registered: [RegistrationInfo] { state.withLock { $0.registered } }

  /// What was unregistered or replaced so far, in order.
  public var unregistered: [RegistrationInfo] { state.withLock { $0.unregistered } }

  /// The instances of a service that were created, under whatever key and with whatever arguments.
  ///
  /// - Parameter service: the type that it is registered as.
  public func created(_ service: any Any.Type) -> [ContainerEvent] { events.created(service) }

  /// The instances of a service that were disposed of.
  ///
  /// - Parameter service: the type that it is registered as.
  public func disposed(_ service: any Any.Type) -> [ContainerEvent] { events.disposed(service) }

  /// The failures to make an instance of a service.
  ///
  /// - Parameter service: the type that it is registered as.
  public func failed(_ service: any Any.Type) -> [ContainerEvent] { events.failed(service) }

  /// Forgets what was recorded.
  public func clear() {
    // What is recorded may hold errors of the user's: they go after the lock.
    _ = state.withLock { state in
      let old = state
      state = State()
      return old
    }
  }

  // MARK: Being told

  /// Records it.
  public func container(_ container: Container, didEmit event: ContainerEvent) {
    state.withLock { $0.events.append(event) }
  }

  /// Records it.
  public func container(_ container: Container, didRegister registration: RegistrationInfo) {
    state.withLock { $0.registered.append(registration) }
  }

  /// Records it.
  public func container(_ container: Container, didUnregister registration: RegistrationInfo) {
    state.withLock { $0.unregistered.append(registration) }
  }

  // MARK: Following

  /// What happens in a container, and in those below it, while an operation runs.
  ///
  /// - Parameters:
  ///   - container: a container.
  ///   - operation: what to run.
  /// - Returns: the events, in order.
  /// - Throws: what `operation` throws.
  public nonisolated(nonsending) static func events(
    in container: Container, during operation: nonisolated(nonsending) () async throws -> Void
  ) async rethrows -> [ContainerEvent] {
    let stream = container.events(bufferingNewest: .max)
    try await operation()
    // A reset of a scope that nothing is in changes nothing, and is told of: behind it comes what came later.
    let mark = Scope.managed(by: ManagedScope("end of recording"))
    await container.reset(mark)
    var events: [ContainerEvent] = []
    for await event in stream {
      if event.occurrence == .reset, event.scope == mark { break }
      events.append(event)
    }
    return events
  }
}

extension [ContainerEvent] {
  /// The instances of a service that were created.
  ///
  /// - Parameter service: the type that it is registered as.
  public func created(_ service: any Any.Type) -> [ContainerEvent] {
    filter { $0.occurrence == .created && $0.service == service }
  }

  /// The instances of a service that were disposed of.
  ///
  /// - Parameter service: the type that it is registered as.
  public func disposed(_ service: any Any.Type) -> [ContainerEvent] {
    filter { $0.occurrence == .disposed && $0.service == service }
  }

  /// The failures to make an instance of a service.
  ///
  /// - Parameter service: the type that it is registered as.
  public func failed(_ service: any Any.Type) -> [ContainerEvent] {
    filter { $0.occurrence == .failed && $0.service == service }
  }

  /// The scopes that were opened.
  public var opened: [ContainerEvent] { filter { $0.occurrence == .opened } }

  /// The scopes that were closed.
  public var closed: [ContainerEvent] { filter { $0.occurrence == .closed } }
}

extension ContainerEvent {
  fileprivate enum Occurrence { case created, disposed, failed, reset, opened, closed, other }

  /// The kind without what comes with it. Out of line: matched against in a closure, the kind crashes the optimiser of 6.3.1.
  @inline(never)
  fileprivate var occurrence: Occurrence {
    switch kind {
    case .created: .created
    case .disposed: .disposed
    case .failed: .failed
    case .reset: .reset
    case .opened: .opened
    case .closed: .closed
    default: .other
    }
  }
}
