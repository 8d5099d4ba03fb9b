/// The run-time arguments of a request. Only the function that the program calls and the binding's factory know their types.
///
/// `@unchecked Sendable` because a class with subclasses cannot be checked; there are no stored properties.
class Arguments: @unchecked Sendable {
  /// The signature of a service whose factory takes these arguments.
  func signature<Service>(of service: Service.Type) -> UInt { fatalError("abstract") }

  /// The identity of a service whose factory takes these arguments.
  func identity<Service>(of service: Service.Type, key: Key?) -> ServiceIdentity { fatalError("abstract") }

  /// Calls the synchronous factory of a binding of such an identity, which writes its product to the memory.
  func write(_ binding: Binding, _ resolver: Resolver, to memory: UnsafeMutableRawPointer) throws {
    fatalError("abstract")
  }

  /// The recipe of a binding of such an identity.
  func recipe(of binding: Binding) -> Recipe { fatalError("abstract") }

  /// Creates arguments.
  ///
  /// - Returns: Nil if there are none.
  static func of<each Argument: Sendable>(_ values: repeat each Argument) -> Arguments? {
    for _ in repeat (each Argument).self { return ArgumentPack(repeat each values) }
    return nil
  }
}

/// `@unchecked Sendable` like its superclass; the values are Sendable.
private final class ArgumentPack<each Argument: Sendable>: Arguments, @unchecked Sendable {
  private let values: (repeat each Argument)

  init(_ values: repeat each Argument) { self.values = (repeat each values) }

  override func signature<Service>(of service: Service.Type) -> UInt {
    TypeAddress.of(Signature<Service, repeat each Argument>.self)
  }

  override func identity<Service>(of service: Service.Type, key: Key?) -> ServiceIdentity {
    ServiceIdentity(service, arguments: repeat (each Argument).self, key: key)
  }

  override func write(_ binding: Binding, _ resolver: Resolver, to memory: UnsafeMutableRawPointer) throws {
    try unsafe typed(binding).write(resolver, to: memory, repeat each values)
  }

  override func recipe(of binding: Binding) -> Recipe { typed(binding).recipe(for: repeat each values) }

  private func typed(_ binding: Binding) -> ArgumentBinding<repeat each Argument> {
    unsafe unsafeDowncast(binding, to: ArgumentBinding<repeat each Argument>.self)
  }
}

extension TypeAddress {
  /// The signature of a service, with arguments if there are any.
  static func of<Service>(_ service: Service.Type, taking arguments: Arguments?) -> UInt {
    if let arguments { arguments.signature(of: service) } else { of(service) }
  }
}

extension ServiceIdentity {
  init<Service>(_ service: Service.Type, key: Key?, taking arguments: Arguments?) {
    self = arguments?.identity(of: service, key: key) ?? ServiceIdentity(service, key: key)
  }
}
