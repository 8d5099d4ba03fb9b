package import ActorDI
import Synchronization

/// A service whose registration marks a place in a stream of events.
private struct Marker: Sendable {
  static let last = Atomic<Int>(0)
}

extension AsyncStream<ContainerEvent> {
  /// The container's events so far, except for beginnings of builds and scopes.
  package func taken(from container: Container) async throws -> [ContainerEvent] {
    try await allTaken(from: container).filter(\.isResult)
  }

  /// All of the container's events so far.
  package func allTaken(from container: Container) async throws -> [ContainerEvent] {
    let number = Marker.last.add(1, ordering: .relaxed).newValue
    try await container.register { Registration(Marker.self) { _ in Marker() }.key(number) }
    var taken: [ContainerEvent] = []
    for await event in self {
      if event.service == Marker.self, event.key as? Int == number { break }
      taken.append(event)
    }
    return taken
  }
}

extension ContainerEvent {
  /// A summary such as `created Store`, without the details that vary between runs.
  package var summary: String {
    let verb =
      switch kind {
      case .registered: "registered"
      case .unregistered: "unregistered"
      case .created: "created"
      case .failed: "failed"
      case .waited: "waited"
      case .disposed: "disposed"
      case .reset: "reset"
      case .building: "building"
      case .opened: "opened \(container)"
      case .closed: "closed \(container)"
      }
    return service.map { "\(verb) \($0)" } ?? verb
  }
}

extension ContainerEvent {
  /// Whether the event reports a result. The beginning of a build, and the opening or closing of a scope, are not results.
  package var isResult: Bool {
    switch kind {
    case .building, .opened, .closed: false
    default: true
    }
  }
}

extension [ContainerEvent] {
  /// The summaries of the results.
  package var summaries: [String] { filter(\.isResult).map(\.summary) }

  /// The summaries of all events.
  package var allSummaries: [String] { map(\.summary) }

  /// The events that report the creation of an instance of a service.
  package func created<Service>(_ service: Service.Type) -> [ContainerEvent] {
    filter { event in
      if case .created = event.kind { event.service == service } else { false }
    }
  }
}
