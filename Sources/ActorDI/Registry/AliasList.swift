/// The recipe of an alias: a further type to resolve a service by, with its compile-checked upcast.
struct AliasRecipe: Sendable {
  let bind: @Sendable (_ primary: Binding, _ container: Container) -> AliasList.Alias

  init<Service, Other>(
    _ type: Other.Type, key: Key?, _ convert: @escaping @Sendable (Service) -> Other
  ) {
    let convertInstance: @Sendable (Instance) -> Instance = { Instance(holding: convert($0.value(as: Service.self))) }
    bind = { primary, container in
      let binding = primary.alias(
        to: primary.identity(of: type), key,
        { instance in Factory { convert(try instance($0).value(as: Service.self)) } }, convertInstance)
      binding.join(in: container, order: container.registry.takeOrder())
      binding.extras.show(primary)
      return AliasList.Alias(binding: binding, convert: convertInstance)
    }
  }
}

extension Binding {
  /// Creates the aliases of this binding, to be listed in the same container.
  final func makeAliases(in container: Container) -> [AliasList.Alias] {
    // An alias with the binding's own identity would be redundant.
    descriptor.making.aliases.map { $0.bind(self, container) }.filter { !$0.binding.identity.isSame(as: identity) }
  }

  /// Creates a binding of another type that returns this one's instance.
  ///
  /// - Parameters:
  ///   - key: nil for the key of this binding.
  ///   - factory: Makes a factory that converts an instance.
  fileprivate final func alias(
    to other: ServiceIdentity, _ key: Key?,
    _ factory: @escaping @Sendable (_ instance: @escaping @Sendable (Resolver) throws -> Instance) -> Factory,
    _ convert: @escaping @Sendable (Instance) -> Instance
  ) -> Binding {
    deriving(aliasDescriptor(other, key)) { [self] recipe in
      Recipe(
        synchrony, factory { [self] in try inForce($0) { try $0.current($1, recipe($0)) } },
        makeAsync: { [self] in convert(try await inForce($0) { try await $0.current($1, recipe($0)) }) })
    }
  }
}

/// Thrown if the binding behind an alias, decorator or delegate was removed after the outer one was found. The caller
/// searches again.
struct PrimaryIsGone: Error {}

/// The aliases of a binding: bindings that return its instance under other types.
///
/// A binding and its aliases refer to each other. Removing the binding empties the list.
final class AliasList: Sendable {
  struct Alias: Sendable {
    let binding: Binding
    /// Converts an instance to the type of the alias.
    let convert: @Sendable (Instance) -> Instance
  }

  private let aliases: Lock<[Alias]>

  init(_ aliases: [Alias]) {
    self.aliases = Lock(aliases)
  }

  var all: [Alias] { aliases.withLock { $0 } }

  func removeAll() -> [Alias] { aliases.withLock { exchange(&$0, with: []) } }
}
