import ActorDI
import Synchronization

/// Registered to mark a place in a stream of events.
private struct Marker: Sendable {
  static let last = Atomic<Int>(0)
}

extension AsyncStream<ContainerEvent> {
  /// The events that happened up to now in the container that the stream is of, but for beginnings and scopes.
  func taken(from container: Container) async throws -> [ContainerEvent] {
    try await allTaken(from: container).filter(\.isResult)
  }

  /// All events that happened up to now in the container that the stream is of.
  func allTaken(from container: Container) async throws -> [ContainerEvent] {
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
  /// For example `created Store`, with all that is not the same at each run left out.
  var summary: String {
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
  /// Whether it tells that something has happened, not that it begins, nor of a scope.
  var isResult: Bool {
    switch kind {
    case .building, .opened, .closed: false
    default: true
    }
  }
}

extension [ContainerEvent] {
  /// Of all but beginnings and scopes.
  var summaries: [String] { filter(\.isResult).map(\.summary) }

  /// Of all.
  var allSummaries: [String] { map(\.summary) }

  /// The events about instances of a service that were created.
  func created<Service>(_ service: Service.Type) -> [ContainerEvent] {
    filter { event in
      if case .created = event.kind { event.service == service } else { false }
    }
  }
}
