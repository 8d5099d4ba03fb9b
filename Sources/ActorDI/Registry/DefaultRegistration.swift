/// The registration that a ``ServiceKey`` brings along, for when nothing else registers its service.
///
/// `@unchecked Sendable` like its superclass; the properties are immutable.
final class DefaultRegistration: TokenDefault, @unchecked Sendable {
  private let service: any Any.Type
  private let make: @Sendable () -> Binding

  init<Service>(_ make: @escaping @Sendable () -> Registration<Service>) {
    service = Service.self
    self.make = { make().binding }
  }

  /// Whether this is the registration of an identity, with any run-time arguments. An alias or a relationship may have the key of a token
  /// for another type.
  func isOf(_ identity: ServiceIdentity) -> Bool { identity.service == service }

  /// Makes the binding. Runs user code.
  func binding(under key: Key) -> Binding {
    var binding = make()
    Binding.makeUnique(&binding)
    binding.describe {
      $0.identity = $0.identity.with(key)
      $0.traits.insert(.yieldsToEarlier)
    }
    return binding
  }
}

extension ServiceIdentity {
  /// The registration that the identity's token brings along; nil if it has none.
  var defaultRegistration: DefaultRegistration? {
    guard let carried = key?.tokenDefault else { return nil }
    let registration = unsafe unsafeDowncast(carried, to: DefaultRegistration.self)
    return registration.isOf(self) ? registration : nil
  }

  /// Whether the service is built in, or its token has a default.
  var isSuppliedUnregistered: Bool { isBuiltIn || defaultRegistration != nil }
}
