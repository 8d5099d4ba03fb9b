public import ActorDI
import Synchronization
public import Tracing

/// Records the scopes and builds of a container as spans.
///
/// ```swift
/// let app = Container(name: "app", configuration: .init(observers: [TracingObserver(), LoggingObserver(logger)])) { … }
/// ```
///
/// | span | from | to |
/// | --- | --- | --- |
/// | `scope NAME` | the opening of a scope | its end, with its disposals |
/// | `build SERVICE` | the beginning of a factory | the instance, or the error |
/// | `wait SERVICE` | the beginning of a wait for another caller's build | its end |
/// | `dispose SERVICE` | the beginning of a disposal | its end |
///
/// The parent of a build is the build whose factory has requested it. Otherwise it is the span that is current in the requesting task.
/// In a scope, it is the scope's span, unless the operation has made another span current. A kept instance that outlives its caller,
/// such as a singleton, may be built by an asynchronous factory in a task of the container. That build begins a trace of its own,
/// unless another build has requested it.
///
/// An observer cannot make a span current for the factory that it reports. So the spans of the factory's own code are siblings of the
/// build rather than its children.
///
/// Attributes: `actordi.container` and `actordi.container.id`; `actordi.service` and `actordi.scope` for services;
/// `actordi.outcome` for scopes. They have no keys and no values of services.
public final class TracingObserver: ContainerObserver {
  private let givenTracer: (any Tracer)?
  private let open = Mutex(Open())

  /// The spans that have not ended.
  private struct Open {
    var builds: [UInt64: Build] = [:]
    var scopes: [UInt64: OpenedScope] = [:]

    /// Removes a scope and the builds of its container.
    mutating func close(_ container: UInt64) -> (OpenedScope?, [Build]) {
      let left = builds.filter { $0.value.container == container }
      for id in left.keys { builds[id] = nil }
      return (scopes.removeValue(forKey: container), Array(left.values))
    }
  }

  private struct Build {
    let span: any Span
    let container: UInt64
  }

  private struct OpenedScope {
    let span: any Span
    /// The context in which the scope was opened.
    let context: ServiceContext
  }

  /// Creates the observer.
  ///
  /// - Parameter tracer: The tracer; by default, the one that `InstrumentationSystem` has when a span begins.
  public init(tracer: (any Tracer)? = nil) { givenTracer = tracer }

  /// Records an event.
  ///
  /// - Parameters:
  ///   - container: The container of the event.
  ///   - event: The event.
  public func container(_ container: Container, didEmit event: ContainerEvent) {
    switch event.kind {
    case .opened:
      let context = ServiceContext.current ?? .topLevel
      let scope = OpenedScope(span: begin("scope \(event.container)", event, in: context), context: context)
      open.withLock { $0.scopes[event.containerID] = scope }
    case .closed(_, let outcome):
      let (scope, builds) = open.withLock { $0.close(event.containerID) }
      // Builds that were cancelled while they were suspended have no end of their own.
      for build in builds { build.span.end() }
      scope?.span.attributes["actordi.outcome"] = outcome.name
      scope?.span.end(with: event.error)
    case .building:
      guard let id = event.buildID else { return }
      let build = Build(
        span: begin("build \(event.serviceName)", event, in: parent(of: event)), container: event.containerID)
      open.withLock { $0.builds[id] = build }
    case .created, .failed:
      guard let id = event.buildID else { return }
      open.withLock { $0.builds.removeValue(forKey: id) }?.span.end(with: event.error)
    case .waited(let duration):
      begin("wait \(event.serviceName)", event, in: parent(of: event), before: duration).end()
    case .disposed(let duration, _):
      begin("dispose \(event.serviceName)", event, in: parent(of: event), before: duration).end(with: event.error)
    default: break
    }
  }

  /// The context of the span that is the parent of an event about a service.
  private func parent(of event: ContainerEvent) -> ServiceContext {
    let current = ServiceContext.current ?? .topLevel
    let (build, scope) = open.withLock { open in
      (event.parentBuildID.flatMap { open.builds[$0] }, open.scopes[event.containerID])
    }
    if let build { return build.span.context }
    guard let scope, scope.context.isEqual(to: current) else { return current }
    return scope.span.context
  }

  private func begin(
    _ name: String, _ event: ContainerEvent, in context: ServiceContext, before duration: Duration = .zero
  ) -> any Span {
    let tracer = givenTracer ?? InstrumentationSystem.tracer
    let span = tracer.startSpan(name, context: context, at: DefaultTracerClock.now - duration)
    span.updateAttributes { attributes in
      attributes["actordi.container"] = event.container
      attributes["actordi.container.id"] = Int64(clamping: event.containerID)
      if event.service != nil { attributes["actordi.service"] = event.serviceName }
      if let scope = event.scope { attributes["actordi.scope"] = "\(scope)" }
    }
    return span
  }
}

extension ContainerEvent {
  fileprivate var serviceName: String { service.map { "\($0)" } ?? "" }
}

extension Span {
  fileprivate func end(with error: (any Error)?) {
    if let error {
      recordError(error)
      setStatus(SpanStatus(code: .error))
    }
    end()
  }
}

extension ServiceContext {
  /// Whether two contexts have the same values, as far as these can be compared.
  fileprivate func isEqual(to other: ServiceContext) -> Bool {
    guard count == other.count else { return false }
    var values: [String: any Sendable] = [:]
    forEach { values[$0.name] = $1 }
    var isEqual = true
    other.forEach { key, value in
      if let known = values[key.name] as? any Equatable, known.equals(value) { return }
      isEqual = false
    }
    return isEqual
  }
}

extension Equatable {
  fileprivate func equals(_ other: any Sendable) -> Bool { other as? Self == self }
}

extension DefaultTracerClock.Timestamp {
  fileprivate static func - (end: Self, duration: Duration) -> Self {
    let (seconds, attoseconds) = duration.components
    let nanoseconds = UInt64(clamping: seconds) &* 1_000_000_000 &+ UInt64(clamping: attoseconds / 1_000_000_000)
    return Self(nanosecondsSinceEpoch: end.nanosecondsSinceEpoch - min(end.nanosecondsSinceEpoch, nanoseconds))
  }
}
