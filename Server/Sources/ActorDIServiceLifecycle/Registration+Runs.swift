public import ActorDI
public import ServiceLifecycle
import Synchronization

extension Registration where Service: ServiceLifecycle.Service {
  /// Makes the instance a service of the container's run: see ``ContainerService``.
  ///
  /// The registration needs a scope that keeps the instance, such as `.singleton`.
  ///
  /// - Returns: The changed copy.
  public consuming func runs() -> Self { runs { $0 } }
}

extension Registration {
  /// Makes the instance a service of the container's run: see ``ContainerService``.
  ///
  /// - Parameter service: Returns the service of an instance, whose type need not state that it is one.
  /// - Returns: The changed copy.
  public consuming func runs(
    _ service: @escaping @Sendable (Service) -> any ServiceLifecycle.Service
  ) -> Self {
    let creation = Creation()
    return onCreated { _, _ in creation.note() }
      .implements((any ServiceLifecycle.Service).self) {
        RunningService(service: service($0), creation: creation.number)
      }
  }
}

/// The creation of a registration's instance, by its place among all creations.
private final class Creation: Sendable {
  private static let count = Atomic<UInt64>(0)
  private let own = Atomic<UInt64>(.max)

  /// The hook of a service runs after the hooks of its dependencies.
  func note() { own.store(Self.count.add(1, ordering: .relaxed).newValue, ordering: .relaxed) }

  var number: UInt64 { own.load(ordering: .relaxed) }
}

/// A service with the place of its creation.
private struct RunningService: ServiceLifecycle.Service {
  let service: any ServiceLifecycle.Service
  let creation: UInt64

  func run() async throws { try await service.run() }
}

extension [any ServiceLifecycle.Service] {
  /// The services, dependencies first; at the end, those that are registered without `runs()`.
  var inOrderOfCreation: Self {
    let running = compactMap { $0 as? RunningService }.sorted { $0.creation < $1.creation }
    return running.map(\.service) + filter { !($0 is RunningService) }
  }
}
