/// The run-time arguments of a request. Only the function that the program calls and the factory know their types.
///
/// `@unchecked Sendable` because a class with subclasses cannot be checked; there are no stored properties.
@usableFromInline
class Arguments: @unchecked Sendable {
  @usableFromInline init() {}

  /// The types of the arguments, in order.
  class var types: [any Any.Type] { fatalError("abstract") }

  /// The signature of a service whose factory takes arguments of these types.
  class func signature<Service>(of service: Service.Type) -> UInt { fatalError("abstract") }

  /// The values, by which a `perArguments()` registration finds its instance; nil if the type of an argument is not Hashable.
  var identifying: ArgumentValues? { fatalError("abstract") }

  // MARK: Where the types are known

  /// Creates arguments.
  ///
  /// - Returns: Nil if there are none.
  @_alwaysEmitIntoClient @inline(__always)
  static func of<each Argument: Sendable>(_ values: repeat each Argument) -> Arguments? {
    for _ in repeat (each Argument).self { return ArgumentPack(repeat each values) }
    return nil
  }

  /// The type of arguments; nil for no arguments.
  @_alwaysEmitIntoClient @inline(__always)
  static func type<each Argument: Sendable>(of types: repeat (each Argument).Type) -> Arguments.Type? {
    for _ in repeat (each Argument).self { return ArgumentPack<repeat each Argument>.self }
    return nil
  }

  /// The values of a request's arguments, for a factory that takes arguments of these types.
  ///
  /// - Throws: ``ResolutionError/Code/argumentMismatch`` if the request has no arguments, as that for an eager service.
  @_alwaysEmitIntoClient @inline(__always)
  static func values<each Argument: Sendable>(
    of arguments: Arguments?, for service: any Any.Type, _ types: repeat (each Argument).Type
  ) throws -> (repeat each Argument) {
    guard let arguments else {
      for _ in repeat (each Argument).self { throw missing(for: service) }
      // Never called, because the pack is empty.
      func value<Value>(_ type: Value.Type) -> Value { fatalError("An empty pack has no element.") }
      return (repeat value((each Argument).self))
    }
    // The search has found the factory by the types of the arguments.
    return unsafe unsafeDowncast(arguments, to: ArgumentPack<repeat each Argument>.self).values
  }

  @usableFromInline
  static func missing(for service: any Any.Type) -> ResolutionError {
    ResolutionError(.argumentMismatch, for: ServiceIdentity(service))
  }
}

/// `@unchecked Sendable` like its superclass; the values are Sendable.
@usableFromInline
final class ArgumentPack<each Argument: Sendable>: Arguments, @unchecked Sendable {
  @usableFromInline let values: (repeat each Argument)

  @inlinable
  init(_ values: repeat each Argument) {
    self.values = (repeat each values)
    super.init()
  }

  override class var types: [any Any.Type] {
    var types: [any Any.Type] = []
    for type in repeat (each Argument).self { types.append(type) }
    return types
  }

  override class func signature<Service>(of service: Service.Type) -> UInt {
    TypeAddress.of(Signature<Service, repeat each Argument>.self)
  }

  override var identifying: ArgumentValues? { ArgumentValues(repeat each values) }
}

extension TypeAddress {
  /// The signature of a service, with arguments if there are any.
  static func of<Service>(_ service: Service.Type, taking arguments: Arguments?) -> UInt {
    if let arguments { type(of: arguments).signature(of: service) } else { of(service) }
  }

  /// The signature of a service, with arguments of these types, of which there may be none.
  // Emitted into the client, where the compiler knows the types.
  @_alwaysEmitIntoClient @inline(__always)
  static func of<Service, each Argument>(_ service: Service.Type, taking types: repeat (each Argument).Type) -> UInt {
    for _ in repeat (each Argument).self { return of(Signature<Service, repeat each Argument>.self) }
    return of(service)
  }
}

extension ServiceIdentity {
  init<Service>(_ service: Service.Type, key: Key?, taking arguments: Arguments?) {
    self.init(service, taking: arguments.map { type(of: $0) }, key: key)
  }
}
