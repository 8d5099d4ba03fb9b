public import ActorDI

// Each marker is a macro for properties, which may be constants, and a property wrapper for parameters, which macros cannot mark. The
// compiler takes the one that fits.

/// Resolves a parameter by type and key.
///
/// ```swift
/// init(@Key("replica") database: any Database, @Key(.users) cache: any Cache) { … }
/// ```
///
/// In the initialiser the parameter has its own type, as without the marker.
@propertyWrapper
@frozen
public struct Key<Value> {
  /// The value of the parameter.
  public var wrappedValue: Value

  /// Marks a parameter with a key.
  @inlinable
  public init(wrappedValue: Value, _ key: any Hashable & Sendable) { self.wrappedValue = wrappedValue }

  /// Marks a parameter with a token.
  @inlinable
  public init(wrappedValue: Value, _ token: ServiceKey<Value>) { self.wrappedValue = wrappedValue }

  /// Rejects a marker without a key.
  @available(
    *, unavailable, message: "write the key, such as '@Key(\"replica\")', or a token, such as '@Key(.replica)'"
  )
  public init(wrappedValue: Value) { fatalError() }

  /// Rejects a token of another service type.
  @_disfavoredOverload
  @available(*, unavailable, message: "the token names a service of another type than the parameter")
  public init<Other>(wrappedValue: Value, _ token: ServiceKey<Other>) { fatalError() }
}

/// Resolves a stored property of a type without an initialiser by type and key.
///
/// - Parameter key: The key that the service is registered under.
@attached(peer)
public macro Key(_ key: any Hashable & Sendable) = #externalMacro(module: "ActorDIMacrosPlugin", type: "MarkerMacro")

/// Resolves a stored property of a type without an initialiser by a token.
///
/// The macro does not see the type of the property. Where tokens of several services have one name, write the type:
/// `@Key(ServiceKey<Cache>.main)`.
///
/// - Parameter token: The token of the service.
@attached(peer)
public macro Key<Value>(_ token: ServiceKey<Value>) = #externalMacro(module: "ActorDIMacrosPlugin", type: "MarkerMacro")

/// Makes a parameter a run-time argument. Callers pass the arguments in the order of the parameters.
///
/// ```swift
/// @Injectable final class Report: Sendable {
///   init(store: any Store, @Argument title: String) { … }
/// }
///
/// let report = try container.resolve(Report.self, arguments: "title")
/// ```
@propertyWrapper
@frozen
public struct Argument<Value> {
  /// The value of the parameter.
  public var wrappedValue: Value

  /// Marks a parameter.
  @inlinable
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

/// Makes a stored property of a type without an initialiser a run-time argument.
@attached(peer)
public macro Argument() = #externalMacro(module: "ActorDIMacrosPlugin", type: "MarkerMacro")

/// Leaves a parameter to its default value, which the container would otherwise replace.
@propertyWrapper
@frozen
public struct UseDefault<Value> {
  /// The value of the parameter.
  public var wrappedValue: Value

  /// Marks a parameter.
  @inlinable
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

/// Leaves a stored property to its default value: one of an optional type, or with a property wrapper that has a value.
@attached(peer)
public macro UseDefault() = #externalMacro(module: "ActorDIMacrosPlugin", type: "MarkerMacro")
