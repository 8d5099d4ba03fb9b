public import ActorDI

/// Makes a struct a graph of services: the compiler checks that each dependency has a provider.
///
/// ```swift
/// @Graph struct AppGraph {
///   let settings: Settings
///
///   @Provides(scope: .singleton) func database(settings: Settings) throws -> any Database {
///     try SQLDatabase(path: settings.path)
///   }
///
///   @Provides func users(database: any Database) -> UserStore { UserStore(database: database) }
/// }
///
/// let graph = AppGraph(settings: .standard)
/// let container = Container { graph.registrations }
/// ```
///
/// A method with ``Provides(scope:key:eager:)`` provides the service that it returns, made from its parameters. A stored property provides
/// its value. ``Include()`` on a property adds the providers of another graph. Compile-time errors are: a dependency without a provider,
/// two providers of one service, a cycle, a synchronous provider with an asynchronous dependency, and a singleton that would keep a
/// scoped service.
///
/// The macro adds the following members:
/// - `registrations`: the registrations of all providers, for a container or module.
/// - `wired()` and `Wiring`: the services without a container, by direct calls of the providers. A wiring has a method for each provider
///   with the scope `.transient` or none, and a property for each singleton. Services that need a container are not in it: those of
///   other scopes, and those with dependencies such as `Lazy`, `Provider`, `[T]` and `T?`, or with providers in included graphs.
@attached(
  member, names: named(registrations), named(wired), named(Wiring), named(_Provisions), named(_check), arbitrary)
@attached(extension, conformances: ServiceGraph)
public macro Graph() = #externalMacro(module: "ActorDIMacrosPlugin", type: "GraphMacro")

/// Makes a method of a ``Graph()`` the provider of the service that it returns.
///
/// The container resolves each parameter as for ``Injectable(scope:key:eager:isolation:)``, with the same markers.
///
/// - Parameters:
///   - scope: The scope of the instances; the container's default scope if omitted. The service must then be Sendable.
///   - key: The key of the service, if any.
///   - eager: Whether `start()` builds the service.
@attached(peer)
public macro Provides(scope: Scope? = nil, key: (any Hashable & Sendable)? = nil, eager: Bool = false) =
  #externalMacro(module: "ActorDIMacrosPlugin", type: "GraphMarkerMacro")

/// Adds the providers of another graph: of the one that the property holds.
@attached(peer)
public macro Include() = #externalMacro(module: "ActorDIMacrosPlugin", type: "GraphMarkerMacro")

/// A graph of services, made by ``Graph()``.
public protocol ServiceGraph {
  /// The registrations of the providers, for a container or module.
  @RegistrationBuilder var registrations: Registrations { get }
}

// What follows is named by generated code only.

/// The services that a graph provides, as overloads of one function.
public protocol _ServiceProvisions {}

extension _ServiceProvisions {
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "no provider of the graph returns the type of this parameter: add one, or a stored property of the type"
  )
  public static func provider<Service>(of service: _Service<Service>) {}

  @_disfavoredOverload
  @available(
    *, unavailable, message: "no provider of the graph with this key returns the type of this parameter: add one"
  )
  public static func provider<Service, Key>(of service: _Service<Service>, key: Key) {}
}

/// A service type. Unlike a metatype, it converts to that of no other type.
@frozen
public struct _Service<Service> {
  @inlinable
  public init() {}
}
