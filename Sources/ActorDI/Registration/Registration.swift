/// How a container makes a service, and how long it keeps it.
///
/// A registration is an immutable value: its modifiers return changed copies, and it can be registered in any number of
/// containers.
///
/// ```swift
/// Registration((any Clock).self, scope: .singleton) { _ in SystemClock() }
/// Registration((any Database).self, scope: .singleton) { r in
///   try await PostgresDatabase(url: r.resolve(DatabaseURL.self))
/// }
/// Registration(autowired: (any UserStore).self, scope: .shared, initializer: SQLUserStore.init)
/// Registration(Greeting.self) { (r, name: String) in Greeting(name: name, clock: try r.resolve()) }
/// ```
///
/// Factories may be asynchronous, and isolated: to the main actor, `{ @MainActor r in … }`, which synchronous code on the main
/// thread can resolve; or to a global actor of your own, which takes asynchronous code. For the latter name the actor,
/// `isolation: DatabaseActor.self`, or say that the closure is asynchronous, `{ @DatabaseActor r async in … }`.
///
/// What the container keeps must be Sendable. A service that is not can be registered without a scope: it is transient, and
/// its factory gives each caller an instance of its own.
public struct Registration<Service>: Sendable {
  /// What it says, changed while nothing else refers to it: see ``Binding``.
  @usableFromInline var binding: Binding

  init(_ binding: Binding) { self.binding = binding }

  /// By a synchronous factory. Inlined, as all that leads here: where the service's type is known, nothing is to be looked up.
  ///
  /// - Parameter scope: nil for the container's default.
  @inlinable
  init(synchronous factory: Factory, _ scope: Scope?, _ fileID: StaticString, _ line: UInt) {
    binding = Binding(Service.self, factory, scope, fileID, line)
  }

  /// Registers by a recipe whose arguments may be none.
  ///
  /// - Parameters:
  ///   - key: nil for no key.
  ///   - scope: nil for the container's default.
  ///   - inheriting: for an autowired initialiser, the recipe that hands a key down to its dependencies.
  init<each Argument: Sendable>(
    _ recipe: ArgumentRecipe<repeat each Argument>, _ key: Key?, _ scope: Scope?,
    _ fileID: StaticString, _ line: UInt,
    inheriting: ArgumentBinding<repeat each Argument>.Inheriting? = nil
  ) {
    let source = RegistrationSource(fileID, line)
    if let recipe = recipe.withoutArguments {
      binding = Binding(Descriptor(ServiceIdentity(Service.self, key: key), scope, recipe.synchrony, source), recipe)
      guard let inheriting else { return }
      binding.describe { $0.making.inheriting = { inheriting($0).withoutArguments ?? recipe } }
    } else {
      let identity = ServiceIdentity(Service.self, arguments: repeat (each Argument).self).with(key)
      binding = ArgumentBinding(Descriptor(identity, scope, recipe.synchrony, source), recipe, inheriting: inheriting)
    }
  }
}

// MARK: - Changed copies

extension Registration {
  /// Makes sure that nothing else refers to what is about to be changed.
  @inlinable
  mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&binding) { binding = binding.copy() }
  }

  /// The registration with a changed description. Nothing is copied where nobody else needs it as it is.
  consuming func describing(_ change: (inout Descriptor) -> Void) -> Self {
    makeUnique()
    binding.describe(change)
    return self
  }

  /// What a container is to take over.
  @inlinable
  consuming func takeBinding() -> Binding { binding }
}

// MARK: - In a builder

extension RegistrationBuilder {
  /// A registration.
  @inlinable
  public static func buildExpression<Service>(
    _ registration: consuming Registration<Service>
  ) -> Registrations {
    Registrations(registration.takeBinding())
  }

  /// A plain value. Disfavoured, since every expression is one.
  @_disfavoredOverload
  public static func buildExpression<Service: Sendable>(
    _ value: @autoclosure @escaping @Sendable () -> Service, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Registrations {
    let registration = Registration(Service.self, factory: { _ in value() }, fileID: fileID, line: line).dependsOn()
    return Registrations(registration.takeBinding())
  }
}
