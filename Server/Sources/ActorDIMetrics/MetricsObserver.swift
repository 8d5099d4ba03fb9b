public import ActorDI
public import Metrics
import Synchronization

/// Records the events of a container as metrics.
///
/// | metric | kind | dimensions |
/// | --- | --- | --- |
/// | `actordi_build_duration` | timer | service, scope |
/// | `actordi_build_failures` | counter | service, scope |
/// | `actordi_wait_duration` | timer | service, scope |
/// | `actordi_disposal_duration` | timer | service, scope |
/// | `actordi_disposal_failures` | counter | service, scope |
/// | `actordi_scope_duration` | timer | container, outcome |
/// | `actordi_open_scopes` | meter | container |
///
/// `service` is a type, and `container` the name of a scope, so the number of series depends on the program, not on its load.
public final class MetricsObserver: ContainerObserver {
  private let factory: any MetricsFactory
  private let handles = Mutex(Handles())

  private struct Handles {
    var timers: [Series: Timer] = [:]
    var counters: [Series: Counter] = [:]
    var meters: [Series: Meter] = [:]
  }

  private struct Series: Hashable {
    let label: String
    let dimensions: [String]
  }

  /// Creates the observer.
  ///
  /// - Parameter factory: The factory of the metrics.
  public init(factory: any MetricsFactory = MetricsSystem.factory) { self.factory = factory }

  /// Records an event.
  ///
  /// - Parameters:
  ///   - container: The container of the event.
  ///   - event: The event.
  public func container(_ container: Container, didEmit event: ContainerEvent) {
    switch event.kind {
    case .created(let duration): time("build", event, duration)
    case .failed(_, let duration):
      time("build", event, duration)
      counter("actordi_build_failures", service(of: event)).increment()
    case .waited(let duration): time("wait", event, duration)
    case .disposed(let duration, let error):
      time("disposal", event, duration)
      if error != nil { counter("actordi_disposal_failures", service(of: event)).increment() }
    case .opened: meter("actordi_open_scopes", [("container", event.container)]).increment()
    case .closed(let duration, let outcome):
      meter("actordi_open_scopes", [("container", event.container)]).decrement()
      timer("actordi_scope_duration", [("container", event.container), ("outcome", outcome.name)])
        .record(duration: duration)
    default: break
    }
  }

  private func time(_ what: String, _ event: ContainerEvent, _ duration: Duration) {
    timer("actordi_\(what)_duration", service(of: event)).record(duration: duration)
  }

  private func service(of event: ContainerEvent) -> [(String, String)] {
    [("service", event.service.map { "\($0)" } ?? ""), ("scope", event.scope.map { "\($0)" } ?? "")]
  }

  // MARK: - Handles

  // A handle is made once for each series, because most factories look it up under a lock of theirs.

  private func timer(_ label: String, _ dimensions: [(String, String)]) -> Timer {
    handle(\.timers, label, dimensions) { Timer(label: label, dimensions: dimensions, factory: factory) }
  }

  private func counter(_ label: String, _ dimensions: [(String, String)]) -> Counter {
    handle(\.counters, label, dimensions) { Counter(label: label, dimensions: dimensions, factory: factory) }
  }

  private func meter(_ label: String, _ dimensions: [(String, String)]) -> Meter {
    handle(\.meters, label, dimensions) { Meter(label: label, dimensions: dimensions, factory: factory) }
  }

  private func handle<Handle: Sendable>(
    _ path: WritableKeyPath<Handles, [Series: Handle]>, _ label: String, _ dimensions: [(String, String)],
    make: () -> Handle
  ) -> Handle {
    let series = Series(label: label, dimensions: dimensions.map(\.1))
    if let known = handles.withLock({ $0[keyPath: path][series] }) { return known }
    // Outside the lock, because it is code of the metrics backend. Backends return one handler for one series.
    let new = make()
    return handles.withLock { handles in
      if let known = handles[keyPath: path][series] { return known }
      handles[keyPath: path][series] = new
      return new
    }
  }
}
