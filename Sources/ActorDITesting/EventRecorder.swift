public import ActorDI
import Synchronization

/// An observer that records the events of containers for a test to inspect.
///
/// ```swift
/// let recorder = EventRecorder()
/// let container = Container(configuration: .init(observer: recorder)) { … }
/// …
/// #expect(recorder.created(Database.self).count == 1)     // built once
/// ```
///
/// The events of a resolve are recorded before the resolve returns. To record an existing container during an operation, use
/// ``events(in:during:)``.
public final class EventRecorder: ContainerObserver {
  private struct State: Sendable {
    var events: [ContainerEvent] = []
    var registered: [RegistrationInfo] = []
    var unregistered: [RegistrationInfo] = []
  }

  private let state = Mutex(State())

  /// Creates a recorder for ``ActorDI/Container/Configuration/observer``.
  public init() {}

  // MARK: Inspecting

  /// The recorded events, in order.
  public var events: [ContainerEvent] { state.withLock { $0.events } }

  /// The recorded registrations, in order.
  public var registered: [RegistrationInfo] { state.withLock { $0.registered } }

  /// The registrations that were removed or replaced, in order.
  public var unregistered: [RegistrationInfo] { state.withLock { $0.unregistered } }

  /// Returns the creation events of a service, with any key and any run-time arguments.
  ///
  /// - Parameter service: The type that the service is registered as.
  public func created(_ service: any Any.Type) -> [ContainerEvent] { events.created(service) }

  /// Returns the disposal events of a service.
  ///
  /// - Parameter service: The type that the service is registered as.
  public func disposed(_ service: any Any.Type) -> [ContainerEvent] { events.disposed(service) }

  /// Returns the failure events of a service.
  ///
  /// - Parameter service: The type that the service is registered as.
  public func failed(_ service: any Any.Type) -> [ContainerEvent] { events.failed(service) }

  /// Removes all recorded events and registrations.
  public func clear() {
    // Release the events outside the lock: they may hold errors with a user-defined `deinit`.
    _ = state.withLock { state in
      let old = state
      state = State()
      return old
    }
  }

  // MARK: Observing

  /// Records an event.
  public func container(_ container: Container, didEmit event: ContainerEvent) {
    state.withLock { $0.events.append(event) }
  }

  /// Records a registration.
  public func container(_ container: Container, didRegister registration: RegistrationInfo) {
    state.withLock { $0.registered.append(registration) }
  }

  /// Records the removal of a registration.
  public func container(_ container: Container, didUnregister registration: RegistrationInfo) {
    state.withLock { $0.unregistered.append(registration) }
  }

  // MARK: Recording an operation

  /// Returns the events of a container and its descendants during an operation.
  ///
  /// - Parameters:
  ///   - container: The container to observe.
  ///   - operation: The operation to run.
  /// - Returns: The events, in order.
  /// - Throws: The error of `operation`.
  public nonisolated(nonsending) static func events(
    in container: Container, during operation: nonisolated(nonsending) () async throws -> Void
  ) async rethrows -> [ContainerEvent] {
    try await container.events(during: operation)
  }
}

extension [ContainerEvent] {
  /// Returns the creation events of a service, with any key and any run-time arguments.
  ///
  /// - Parameter service: The type that the service is registered as.
  public func created(_ service: any Any.Type) -> [ContainerEvent] {
    filter { $0.occurrence == .created && $0.service == service }
  }

  /// Returns the disposal events of a service.
  ///
  /// - Parameter service: The type that the service is registered as.
  public func disposed(_ service: any Any.Type) -> [ContainerEvent] {
    filter { $0.occurrence == .disposed && $0.service == service }
  }

  /// Returns the failure events of a service.
  ///
  /// - Parameter service: The type that the service is registered as.
  public func failed(_ service: any Any.Type) -> [ContainerEvent] {
    filter { $0.occurrence == .failed && $0.service == service }
  }

  /// The events of opened scopes.
  public var opened: [ContainerEvent] { filter { $0.occurrence == .opened } }

  /// The events of closed scopes.
  public var closed: [ContainerEvent] { filter { $0.occurrence == .closed } }
}

extension ContainerEvent {
  fileprivate enum Occurrence { case created, disposed, failed, opened, closed, other }

  /// The kind without its payload. Not inlined: matching the kind in a closure crashes the optimiser of Swift 6.3.1.
  @inline(never)
  fileprivate var occurrence: Occurrence {
    switch kind {
    case .created: .created
    case .disposed: .disposed
    case .failed: .failed
    case .opened: .opened
    case .closed: .closed
    default: .other
    }
  }
}
