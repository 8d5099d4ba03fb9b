/// An ordered collection of registrations, as the builder makes it.
public struct Registrations: Sendable {
  var elements: [any AnyRegistration] = []
  /// Modules to be told when the batch that they came with has been registered.
  var modules: [any Module] = []

  /// No registrations.
  public init() {}

  /// Registrations, composed by a builder.
  ///
  /// - Parameter registrations: see ``RegistrationBuilder``.
  public init(@RegistrationBuilder _ registrations: () -> Registrations) {
    self = registrations()
  }

  init(_ element: any AnyRegistration) {
    elements = [element]
  }

  /// Those whose conditions hold. Runs the conditions.
  var wanted: [any AnyRegistration] { elements.filter(\.isWanted) }

  /// How many registrations there are.
  public var count: Int { elements.count }

  /// Whether there are none.
  public var isEmpty: Bool { elements.isEmpty }

  /// Adds registrations behind those that are there.
  public mutating func append(_ other: Registrations) {
    elements += other.elements
    modules += other.modules
  }
}

/// Composes ``Registrations`` from registrations, modules, groups and plain values, with `if`, `switch`, `for` and
/// `#available`.
///
/// A plain value, such as `SystemClock()`, is a registration of its own type, evaluated when it is resolved.
@resultBuilder
public enum RegistrationBuilder {
  /// A registration.
  public static func buildExpression<Service>(
    _ registration: Registration<Service>
  ) -> Registrations {
    Registrations(registration)
  }

  /// Registrations composed elsewhere.
  public static func buildExpression(_ registrations: Registrations) -> Registrations {
    registrations
  }

  /// What a module registers; it is told when all of the batch is registered.
  public static func buildExpression(_ module: some Module) -> Registrations {
    var registrations = module.registrations
    registrations.modules.append(module)
    return registrations
  }

  /// A group's members.
  public static func buildExpression(_ group: Group) -> Registrations {
    group.registrations
  }

  /// A plain value. Disfavoured, since every expression is one.
  @_disfavoredOverload
  public static func buildExpression<Service: Sendable>(
    _ value: @autoclosure @escaping @Sendable () -> Service, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Registrations {
    Registrations(
      Registration(Service.self, factory: { _ in value() }, fileID: fileID, line: line).dependsOn())
  }

  /// One after the other.
  public static func buildBlock(_ parts: Registrations...) -> Registrations {
    buildArray(parts)
  }

  /// `for`.
  public static func buildArray(_ parts: [Registrations]) -> Registrations {
    var all = Registrations()
    for part in parts { all.append(part) }
    return all
  }

  /// `if` without `else`.
  public static func buildOptional(_ part: Registrations?) -> Registrations {
    part ?? Registrations()
  }

  /// `if` and `switch`.
  public static func buildEither(first part: Registrations) -> Registrations { part }
  /// `else` and `switch`.
  public static func buildEither(second part: Registrations) -> Registrations { part }
  /// `if #available`.
  public static func buildLimitedAvailability(_ part: Registrations) -> Registrations { part }
}
