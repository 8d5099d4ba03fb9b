import ActorDI
import Synchronization

/// Registered to mark a place in a stream of events.
private struct Marker: Sendable {
  static let last = Atomic<Int>(0)
}

extension AsyncStream<ContainerEvent> {
  /// The events that happened up to now in the container that the stream is of.
  func taken(from container: Container) async throws -> [ContainerEvent] {
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
      @unknown default: "unknown"
      }
    return service.map { "\(verb) \($0)" } ?? verb
  }
}

extension [ContainerEvent] {
  var summaries: [String] { map(\.summary) }

  /// The events about instances of a service that were created.
  func created<Service>(_ service: Service.Type) -> [ContainerEvent] {
    filter { event in
      if case .created = event.kind { event.service == service } else { false }
    }
  }
}
