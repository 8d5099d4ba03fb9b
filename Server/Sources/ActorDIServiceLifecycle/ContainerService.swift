public import ActorDI
public import Logging
public import ServiceLifecycle
public import UnixSignals

/// Runs a container, and the services registered with `runs()`, as one service of a `ServiceGroup`.
///
/// ```swift
/// let app = Container {
///   Registration(autowired: Database.self, scope: .singleton, initializer: Database.init).eager().onDispose { await $0.close() }
///   Registration(autowired: Mailer.self, scope: .singleton, initializer: Mailer.init).runs()
/// }
/// let group = ServiceGroup(services: [ContainerService(app)], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
/// try await group.run()
/// ```
///
/// A run has these steps:
///
/// 1. The container starts: see `Container.start()`. A graceful shutdown during this step cancels it.
/// 2. The services are built, dependencies first, and then run side by side in a group of their own.
/// 3. The run waits until the services have ended: by a graceful shutdown, by cancellation, or because one of them failed. A graceful
///    shutdown ends a service before its dependencies. Without services, it waits for the shutdown or the cancellation.
/// 4. The container shuts down: it waits for open scopes, and disposes of its instances.
///
/// Place the service first in a group with others that use the container. The group then shuts it down last.
public struct ContainerService: ServiceLifecycle.Service {
  private let container: Container
  private let shutdownTimeout: Duration?
  private let logger: Logger
  private let onReady: @Sendable () async throws -> Void

  /// Creates the service.
  ///
  /// - Parameters:
  ///   - container: The container to run.
  ///   - shutdownTimeout: The maximum time for each step of the container's shutdown; nil for no limit.
  ///   - logger: The logger of the group of services, and of failures during the shutdown.
  ///   - onReady: Runs after the container has started and its services are built, before they run.
  public init(
    _ container: Container, shutdownTimeout: Duration? = nil, logger: Logger = Logger(label: "ActorDI"),
    onReady: @escaping @Sendable () async throws -> Void = {}
  ) {
    self.container = container
    self.shutdownTimeout = shutdownTimeout
    self.logger = logger
    self.onReady = onReady
  }

  /// Runs the container and its services until a graceful shutdown, a cancellation or a failure.
  ///
  /// - Throws: The error of the start or of a service; otherwise a `ShutdownError` if the container's shutdown fails.
  public func run() async throws {
    let end: Result<Void, any Error>
    do {
      try await runServices()
      end = .success(())
    } catch {
      end = .failure(error)
    }
    do {
      try await container.shutdown(timeout: shutdownTimeout)
    } catch {
      // The error that ended the run takes precedence.
      guard case .failure = end else { throw error }
      logger.error("\(error)")
    }
    try end.get()
  }

  private func runServices() async throws {
    let services: [any ServiceLifecycle.Service]
    do {
      services = try await cancelWhenGracefulShutdown {
        try await container.start()
        let services = try await container.resolve([any ServiceLifecycle.Service].self)
        try await onReady()
        return services.inOrderOfCreation
      }
    } catch is CancellationError where Task.isShuttingDownGracefully {
      return
    }
    guard !services.isEmpty else { return try await gracefulShutdown() }
    try await ServiceGroup(services: services, logger: logger).run()
  }
}

extension Container {
  /// Runs the container, and the services registered with `runs()`, until a signal arrives.
  ///
  /// See ``ContainerService`` for the steps.
  ///
  /// - Parameters:
  ///   - gracefulShutdownSignals: The signals that shut the services and the container down.
  ///   - shutdownTimeout: The maximum time for each step of the container's shutdown; nil for no limit.
  ///   - logger: The logger of the services' group.
  ///   - onReady: Runs after the container has started and its services are built, before they run.
  /// - Throws: The error of the start or of a service; otherwise a `ShutdownError` if the container's shutdown fails.
  public nonisolated func run(
    gracefulShutdownSignals: [UnixSignal] = [.sigterm, .sigint], shutdownTimeout: Duration? = nil,
    logger: Logger = Logger(label: "ActorDI"), onReady: @escaping @Sendable () async throws -> Void = {}
  ) async throws {
    let service = ContainerService(self, shutdownTimeout: shutdownTimeout, logger: logger, onReady: onReady)
    try await ServiceGroup(
      services: [service], gracefulShutdownSignals: gracefulShutdownSignals, logger: logger
    ).run()
  }
}
