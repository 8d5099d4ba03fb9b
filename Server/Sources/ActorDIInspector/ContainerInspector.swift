public import ActorDI
import Synchronization

/// A window into a running container: its state as JSON, and a page that shows it.
///
/// ```swift
/// let inspector = ContainerInspector()
/// let app = Container(configuration: .init(observer: inspector)) { … }
///
/// // Two routes that only administrators reach:
/// // GET /admin/inspector       ContainerInspector.page()
/// // GET /admin/inspector.json  inspector.json(of: app)
/// ```
///
/// The page shows the dependency graph, the problems that `validate()` finds, kept instances, builds in flight, open scopes, and recent
/// events. It needs no other file, and works with the ``contentSecurityPolicy``.
///
/// Both show types, keys of services, names of scopes and source locations. They never show an instance or a run-time argument. An error that
/// is not ActorDI's own is shown by its type, unless the inspector is created with `showsErrorTexts`. The keys of scopes, such as those of
/// users, are shown only with `showsKeys`. Protect the routes all the same, and use no secret as a key.
///
/// As an observer of a container, the inspector records its events and those of the containers below it, in bounded memory. Without it,
/// nothing is collected. Then the graph, the problems, instances and scopes are still known.
public final class ContainerInspector: ContainerObserver {
  private let showsErrorTexts: Bool
  private let showsKeys: Bool
  private let records: Mutex<Records>

  /// Creates an inspector.
  ///
  /// - Parameters:
  ///   - eventLimit: The number of events to remember, and of failures besides. Further ones displace the oldest.
  ///   - showsErrorTexts: Whether the descriptions of errors are shown. They can contain secrets, such as an address with a password.
  ///   - showsKeys: Whether the descriptions of the keys of `KeyedScopes` are shown. Such a key comes from a user, and can be personal data,
  ///     such as a name, or a secret, such as the identifier of a session. The keys of services are always shown: the program chooses them.
  public init(eventLimit: Int = 256, showsErrorTexts: Bool = false, showsKeys: Bool = false) {
    self.showsErrorTexts = showsErrorTexts
    self.showsKeys = showsKeys
    records = Mutex(Records(limit: max(0, eventLimit)))
  }

  /// Records an event.
  ///
  /// - Parameters:
  ///   - container: The container of the event.
  ///   - event: The event.
  public func container(_ container: Container, didEmit event: ContainerEvent) {
    let record = EventRecord(event, showsErrorTexts: showsErrorTexts)
    // The lock returns displaced records, because releasing the user's keys can run the user's code.
    _ = records.withLock { $0.add(record) }
  }

  /// The present state of a container as JSON.
  ///
  /// The text is one object:
  ///
  /// - `container`: An object with the `name` and `id` of the container.
  /// - `graph`: The dependency graph: see `DependencyGraph.json`.
  /// - `instances`: The instances that the container and its parents keep. `type` is the dynamic type; `age` and `buildDuration` are null if
  ///   nothing observed the container when the instance was created.
  /// - `builds`: The builds in flight, oldest first, with the `path` of services that led to them. A build that synchronous code could not
  ///   finish remains until asynchronous code continues it, or its scope ends.
  /// - `scopes`: The open scopes, oldest first, at most 500 of each name. `uses` is the number of operations in progress. An idle scope of
  ///   `KeyedScopes` has the time since its last operation as `idleFor`. `key` is its key if the inspector shows keys, and null otherwise.
  /// - `scopeNames`: The names of open scopes, most scopes first, each with the `count` of its scopes, the number of those that are `idle`,
  ///   and the `age` of the oldest one.
  /// - `events`: Recent events, newest first.
  /// - `failures`: Recent events with an error, newest first. Other events do not displace them.
  /// - `problems`: The problems that `validate()` finds.
  /// - `counts`: The numbers of `instances`, `builds` and `scopes`, of which at most 2,000 each are listed.
  ///
  /// Durations and ages are seconds. `node` is the index of a service in the graph's nodes, or null. Every member is always present.
  ///
  /// - Parameter container: The container, usually the application's.
  /// - Returns: A JSON text without instances and run-time arguments.
  /// - Complexity: O(*n* + *e*) in registrations and dependencies, plus the instances and open scopes. Some 25 ms for 1,000 services.
  /// - Concurrency: Callable from any thread. The parts are read one after the other, not at one moment.
  public func json(of container: Container) -> String {
    let (events, failures, builds) = records.withLock {
      ($0.events.newestFirst, $0.failures.newestFirst, $0.buildsInFlight)
    }
    return Report(of: container, events: events, failures: failures, builds: builds, showsKeys: showsKeys).json
  }
}

/// The records of an inspector. None of its operations runs code of the user.
private struct Records {
  var events: Ring<EventRecord>
  var failures: Ring<EventRecord>
  /// The beginnings of builds that have not ended, by the numbers of the container and the build.
  ///
  /// A build that synchronous code could not finish ends when asynchronous code continues it. That may never happen in a scope, so
  /// they are dropped with their scope.
  private var builds: [UInt64: [UInt64: EventRecord]] = [:]

  init(limit: Int) {
    events = Ring(limit: limit)
    failures = Ring(limit: limit)
  }

  /// Adds a record, and returns what it displaces.
  mutating func add(_ record: EventRecord) -> (EventRecord?, EventRecord?, [UInt64: EventRecord]?) {
    let event = events.append(record)
    let failure = record.error == nil ? nil : failures.append(record)
    let container = record.containerID
    guard let id = record.buildID else {
      return (event, failure, record.kind == .closed ? builds.removeValue(forKey: container) : nil)
    }
    if record.kind == .building {
      builds[container, default: [:]][id] = record
      return (event, failure, nil)
    }
    let beginning = builds[container]?.removeValue(forKey: id).map { [id: $0] }
    // A few empty dictionaries stay, because most containers build again.
    if builds.count > 16, builds[container]?.isEmpty == true { builds[container] = nil }
    return (event, failure, beginning)
  }

  var buildsInFlight: [EventRecord] { builds.values.flatMap(\.values).sorted { $0.time < $1.time } }
}

extension ContainerInspector {
  /// The page, which loads the state from the address of the JSON.
  ///
  /// The page is one HTML text without any other file. If it is at `/admin/inspector`, the default address is `/admin/inspector.json`.
  ///
  /// - Parameter stateURL: The address of the route that answers with ``json(of:)``, relative to the page's address.
  /// - Returns: An HTML text. It is the same for every container.
  public static func page(stateURL: String = "inspector.json") -> String { InspectorPage.html(stateURL: stateURL) }

  /// A value for the header `Content-Security-Policy` of the page.
  ///
  /// It allows the page's own style and script by their hashes, requests to the page's own origin, and nothing else.
  public static var contentSecurityPolicy: String { InspectorPage.contentSecurityPolicy }
}
