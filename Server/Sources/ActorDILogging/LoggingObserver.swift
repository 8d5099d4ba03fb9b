public import ActorDI
public import Logging

/// Logs the events of a container, with their values as metadata.
///
/// ```swift
/// let app = Container(configuration: .init(observer: LoggingObserver(Logger(label: "app")))) { … }
/// ```
///
/// | event | level |
/// | --- | --- |
/// | a build or a disposal fails | error |
/// | a build, a wait or a disposal takes longer than `slow` | warning |
/// | a scope ends with an error | notice |
/// | an instance is created or disposed of, instances are reset | debug |
/// | everything else | trace |
///
/// A failed build is one line for each service on its path: the error reaches all of them.
public struct LoggingObserver: ContainerObserver {
  private let logger: Logger
  private let slow: Duration

  /// Creates the observer.
  ///
  /// - Parameters:
  ///   - logger: The logger.
  ///   - slow: The duration from which a build, a wait or a disposal is worth a warning.
  public init(_ logger: Logger, slow: Duration = .seconds(1)) {
    self.logger = logger
    self.slow = slow
  }

  /// Logs an event.
  ///
  /// - Parameters:
  ///   - container: The container of the event.
  ///   - event: The event.
  public func container(_ container: Container, didEmit event: ContainerEvent) {
    let level = level(of: event)
    // The description and the path are made for logged events only.
    guard logger.logLevel <= level else { return }
    logger.log(level: level, "\(event)", metadata: metadata(of: event))
  }

  /// Logs a registration.
  ///
  /// - Parameters:
  ///   - container: The container that has the registration.
  ///   - registration: The registration.
  public func container(_ container: Container, didRegister registration: RegistrationInfo) {
    logger.trace("[\(container.name)] registered \(registration)")
  }

  /// Logs the removal of a registration.
  ///
  /// - Parameters:
  ///   - container: The container that had the registration.
  ///   - registration: The registration.
  public func container(_ container: Container, didUnregister registration: RegistrationInfo) {
    logger.trace("[\(container.name)] unregistered \(registration)")
  }

  private func level(of event: ContainerEvent) -> Logger.Level {
    switch event.kind {
    case .failed, .disposed(_, _?): .error
    case .created(let duration), .waited(let duration), .disposed(let duration, nil):
      if duration >= slow { .warning } else if case .waited = event.kind { .trace } else { .debug }
    case .closed(_, .failed): .notice
    case .reset: .debug
    default: .trace
    }
  }

  private func metadata(of event: ContainerEvent) -> Logger.Metadata {
    var metadata: Logger.Metadata = ["container": "\(event.container)", "container.id": "\(event.containerID)"]
    if let service = event.service { metadata["service"] = "\(service)" }
    if let key = event.key { metadata["key"] = "\(key)" }
    if let scope = event.scope { metadata["scope"] = "\(scope)" }
    if let duration = event.duration { metadata["duration"] = "\(duration)" }
    if let error = event.error { metadata["error"] = "\(error)" }
    let path = event.path
    if path.count > 1 { metadata["path"] = .array(path.map { "\($0)" }) }
    return metadata
  }
}
