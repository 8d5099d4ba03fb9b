@_exported public import ActorDI

/// Adds a static property `registration` to a class, struct or actor, made from its initialiser.
///
/// ```swift
/// @Injectable(as: (any UserStore).self, scope: .singleton)
/// final class SQLUserStore: UserStore {
///   init(database: any Database, @Key("users") cache: any Cache, @UseDefault limit: Int = 100) { … }
/// }
///
/// let container = Container {
///   SQLUserStore.registration
/// }
/// ```
///
/// The container resolves each parameter by its type. A parameter may also be `T?`, `[T]`, `[Key: T]`, `Lazy`, `Provider`, `Owned`,
/// `Resolver` or `Container`. The markers `@Key(…)`, `@Argument` and `@UseDefault` on a parameter change that. The registration
/// declares the dependencies, so that `validate()` and the dependency graph contain them. An initialiser that is asynchronous, throwing
/// or isolated to an actor stays so. The product of a failable initialiser is registered as an optional.
///
/// Of several initialisers, mark one with `@Inject`. A class or actor without an initialiser gets an internal one that sets its stored
/// properties without default values; a struct has its own. The markers stand on those properties instead.
///
/// - Parameters:
///   - service: The service type that the registration is for, such as `(any UserStore).self`.
///   - scope: The scope of the instances; the container's default scope if omitted. The type must then be Sendable.
///   - key: The key of the registration, if any.
///   - eager: Whether `start()` builds the service.
///   - isolation: The global actor of the initialiser, where the declaration does not show it: the actor of a superclass or protocol, or
///     one whose name does not end with `Actor`. The main actor need not be named.
@attached(
  member, names: named(registration), named(init), named(_injected), named(_injectedSuspending), named(_asService))
public macro Injectable<Service>(
  as service: Service.Type, scope: Scope? = nil, key: (any Hashable & Sendable)? = nil, eager: Bool = false,
  isolation: (any GlobalActor.Type)? = nil
) = #externalMacro(module: "ActorDIMacrosPlugin", type: "InjectableMacro")

/// Adds a static property `registration` to a class, struct or actor, for the type itself.
///
/// - Parameters:
///   - scope: The scope of the instances; the container's default scope if omitted. The type must then be Sendable.
///   - key: The key of the registration, if any.
///   - eager: Whether `start()` builds the service.
///   - isolation: The global actor of the initialiser, where the declaration does not show it: the actor of a superclass or protocol, or
///     one whose name does not end with `Actor`. The main actor need not be named.
@attached(
  member, names: named(registration), named(init), named(_injected), named(_injectedSuspending), named(_asService))
public macro Injectable(
  scope: Scope? = nil, key: (any Hashable & Sendable)? = nil, eager: Bool = false,
  isolation: (any GlobalActor.Type)? = nil
) = #externalMacro(module: "ActorDIMacrosPlugin", type: "InjectableMacro")

/// Adds a static property `registration` to a class, struct or actor, for a service under a token.
///
/// - Parameters:
///   - service: The service type that the registration is for.
///   - scope: The scope of the instances; the container's default scope if omitted. The type must then be Sendable.
///   - key: The token, which names the same service type.
///   - eager: Whether `start()` builds the service.
///   - isolation: The global actor of the initialiser, where the declaration does not show it: the actor of a superclass or protocol, or
///     one whose name does not end with `Actor`. The main actor need not be named.
@attached(
  member, names: named(registration), named(init), named(_injected), named(_injectedSuspending), named(_asService))
public macro Injectable<Service>(
  as service: Service.Type, scope: Scope? = nil, key: ServiceKey<Service>, eager: Bool = false,
  isolation: (any GlobalActor.Type)? = nil
) = #externalMacro(module: "ActorDIMacrosPlugin", type: "InjectableMacro")

/// Chooses the initialiser that the container calls, in a type with several.
@attached(peer)
public macro Inject() = #externalMacro(module: "ActorDIMacrosPlugin", type: "InjectMacro")
