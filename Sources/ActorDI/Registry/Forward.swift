/// Another type that a service is found under, with the upcast that the compiler has checked.
struct ForwardRecipe: Sendable {
  let bind: @Sendable (_ primary: Binding, _ container: Container) -> ForwardList.Forward

  init<Service, Other>(
    _ type: Other.Type, key: Key?, _ convert: @escaping @Sendable (Service) -> Other
  ) {
    bind = { primary, container in
      let binding = primary.forward(to: primary.identity(of: type), key) { instance in
        Factory { convert(try instance($0).value()) }
      } _: {
        Instance(holding: convert($0.value()))
      }
      binding.settle(in: container, order: container.registry.takeOrder())
      binding.extras.show(primary)
      return ForwardList.Forward(binding: binding) { Instance(holding: convert($0.value())) }
    }
  }
}

extension Binding {
  /// The bindings that show this one's instance under other types, which will stand in the same container.
  final func makeForwards(in container: Container) -> [ForwardList.Forward] {
    // Under its own identity it is found anyway.
    descriptor.making.forwards.map { $0.bind(self, container) }.filter { !$0.binding.identity.isSame(as: identity) }
  }

  /// A binding of another type that shows this one's instance.
  ///
  /// - Parameters:
  ///   - key: nil for the own one.
  ///   - factory: makes a factory that converts an instance.
  fileprivate final func forward(
    to other: ServiceIdentity, _ key: Key?,
    _ factory: @escaping @Sendable (_ instance: @escaping @Sendable (Resolver) throws -> Instance) -> Factory,
    _ convert: @escaping @Sendable (Instance) -> Instance
  ) -> Binding {
    deriving(forwardDescriptor(other, key)) { [self] recipe in
      Recipe(
        synchrony, factory { [self] in try inForce($0) { try $0.current($1, recipe($0)) } },
        makeAsync: { [self] in convert(try await inForce($0) { try await $0.current($1, recipe($0)) }) })
    }
  }
}

/// Thrown by a forward whose primary was removed after the forward had been found: it is looked up again.
struct PrimaryIsGone: Error {}

/// The bindings that show another one's instance under their own types.
///
/// They refer to their primary, and it to them; the list is emptied when the primary is removed.
final class ForwardList: Sendable {
  struct Forward: Sendable {
    let binding: Binding
    /// The instance as one of the forward's type.
    let convert: @Sendable (Instance) -> Instance
  }

  private let forwards: Lock<[Forward]>

  init(_ forwards: [Forward]) {
    self.forwards = Lock(forwards)
  }

  var all: [Forward] { forwards.withLock { $0 } }

  func removeAll() -> [Forward] {
    forwards.withLock { forwards in
      let all = forwards
      forwards = []
      return all
    }
  }
}
