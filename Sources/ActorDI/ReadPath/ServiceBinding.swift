/// A binding that knows the type of its service, and so how to make one.
@usableFromInline
class ServiceBinding<Service>: Binding, @unchecked Sendable {
  // `@unchecked Sendable` as its superclass: all that it adds is immutable.

  /// The synchronous factory, called straight from the read path for a plain transient.
  @usableFromInline final let make: Recipe<Service>.Make

  /// Of a registration by a synchronous factory.
  ///
  /// Inlined, as all that leads here from ``Registration``: where the service's type is known, to make the binding takes no look at
  /// generic types.
  @inlinable
  init(
    synchronous make: @escaping Recipe<Service>.Make, _ scope: Scope?, _ fileID: StaticString, _ line: UInt
  ) {
    self.make = make
    super.init(Service.self, scope, .synchronous, fileID, line)
  }

  init(_ descriptor: Descriptor, make: @escaping Recipe<Service>.Make) {
    self.make = make
    super.init(descriptor)
  }

  /// - Parameter descriptor: says what the recipe does of its synchrony.
  convenience init(_ descriptor: Descriptor, _ recipe: Recipe<Service>) {
    self.init(descriptor, make: recipe.make)
    if recipe.makeAsync != nil || descriptor.typed != nil { changeTyped { $0.makeAsync = recipe.makeAsync } }
  }

  // MARK: Before it stands anywhere

  final override func copy() -> Binding { typedCopy() }

  /// Another one that says the same, and stands nowhere.
  @usableFromInline
  func typedCopy() -> ServiceBinding<Service> { ServiceBinding(descriptor, make: make) }

  override func failing(with fault: ResolutionError) -> Binding {
    let failing = ServiceBinding(descriptor.failing(with: fault), Recipe(failingWith: fault))
    // With no recipe to hand a key down by, that cannot take the place of the one that fails.
    if failing.typed != nil { failing.changeTyped { $0.inheriting = nil } }
    return failing
  }

  override func readyToStand() -> Binding {
    guard descriptor.nature.inheritsKey, let key, let recipe = typed?.inheriting?(key) else { return self }
    return ServiceBinding(descriptor, recipe)
  }

  /// A binding of another type that shows this one's instance.
  func forward<Other>(
    to other: Other.Type, key: Key?, _ convert: @escaping @Sendable (Service) -> Other
  ) -> ServiceBinding<Other> {
    ServiceBinding<Other>(
      forwardDescriptor(ServiceIdentity(other), key),
      Recipe(
        synchrony,
        make: { convert(try self.inForce($0) { try $0.current($1) }) },
        makeAsync: { Box(convert(try await self.inForce($0) { try await $0.current($1) })) }))
  }

  /// What the registration says in the type of its service; nil for most.
  final var typed: TypedExtras<Service>? {
    guard let box = descriptor.typed else { return nil }
    return unsafe unsafeDowncast(box, to: Box<TypedExtras<Service>>.self).value
  }

  /// Changes that. As ``Binding/describe(_:)``.
  final func changeTyped(_ change: (inout TypedExtras<Service>) -> Void) {
    var typed = typed ?? TypedExtras()
    change(&typed)
    describe { $0.typed = Box(typed) }
  }

  final override func makeForwards(in container: Container) -> [ForwardList.Forward] {
    typed?.forwards.map { $0.bind(self, container) } ?? []
  }

  // MARK: How an instance is made

  /// The recipe of a service without run-time arguments.
  final var recipe: Recipe<Service> {
    Recipe(descriptor.nature.factorySynchrony, make: make, makeAsync: typed?.makeAsync)
  }

  /// What runs after the factory, in order; nil for nothing.
  final var hooks: [CreationHook<Service>]? { descriptor.nature.hasHooks ? typed?.hooks : nil }

  /// The recipe that looks for dependencies under a key first, if the registration hands keys down.
  final func recipe(handingDown key: Key?) -> Recipe<Service> {
    guard let key, descriptor.nature.inheritsKey, let inheriting = typed?.inheriting else { return recipe }
    return inheriting(key)
  }

  /// The recipe for run-time arguments of the types that the binding takes, or none.
  final func recipe<each Argument: Sendable>(with arguments: repeat each Argument) -> Recipe<Service> {
    if !identity.takesArguments { return recipe }
    let binding = unsafe unsafeDowncast(self, to: ArgumentBinding<Service, repeat each Argument>.self)
    return binding.recipe(for: repeat each arguments)
  }

  override func makeWeakStorage(isPublished: Bool) -> any InstanceStorage {
    SharedStorage<Service>(publishingIn: isPublished ? self : nil)
  }

  /// A binding that decorates this one.
  func decorated(by decorator: Decorator<Service>) -> ServiceBinding<Service> {
    ServiceBinding(decoratedDescriptor(decorator.synchrony(of: self)), recipe(decoratedBy: decorator))
      .settled(beside: self)
  }

  override func delegate(to candidates: [Binding]) -> Binding {
    ServiceBinding(delegateDescriptor(), Self.recipe(choosingFrom: candidates)).settled(beside: self)
  }

  override func build(for resolver: Resolver) async throws {
    // Where it is overridden, it is that which has to be there.
    let found = standIn(asking: resolver.container) == nil ? self : nil
    _ = try await resolver.makeIfPresent(Service.self, found, key: key)
  }

  override func immediateInstance(
    in cell: OnceCell, for resolver: Resolver, _ record: ThreadRecordPointer, at depth: Int, _ isNew: inout Bool
  ) throws -> Instance? {
    try unsafe immediateInstanceGenerally(in: cell, for: resolver, record, at: depth, &isNew)
  }

  final override func isComplete(
    _ instance: Instance, in container: Container, _ disposal: inout Disposal?
  ) throws -> Bool {
    let box = unsafe unsafeDowncast(instance.object, to: Box<Service>.self)
    let isComplete = isComplete(box.value)
    disposal = try note(box, in: container)
    return isComplete
  }

  override func makeGraphStorage() -> any InstanceStorage { GraphStorage<Service>() }

  /// The binding at an address that was found under the service's own signature. Under a pin or slot.
  @inlinable
  @inline(__always)
  static func typed(at address: UInt) -> Unmanaged<ServiceBinding<Service>> {
    unsafe Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
  }
}

/// A binding whose factory takes run-time arguments.
@usableFromInline
final class ArgumentBinding<Service, each Argument: Sendable>: ServiceBinding<Service>,
  @unchecked Sendable
{
  // `@unchecked Sendable` as its superclass: what it adds is immutable.

  @usableFromInline let recipeForArguments: ArgumentRecipe<Service, repeat each Argument>

  /// For one whose parameters are dependencies: the recipe that hands a key down to them.
  typealias Inheriting = @Sendable (Key) -> ArgumentRecipe<Service, repeat each Argument>
  private let inheriting: Inheriting?

  init(
    _ descriptor: Descriptor, _ recipe: ArgumentRecipe<Service, repeat each Argument>, inheriting: Inheriting? = nil
  ) {
    recipeForArguments = recipe
    self.inheriting = inheriting
    // What those get who do not know of arguments.
    let error = descriptor.fault ?? ResolutionError(.argumentMismatch, for: ServiceIdentity(Service.self))
    super.init(descriptor, make: { _ in throw error })
  }

  override func typedCopy() -> ServiceBinding<Service> {
    ArgumentBinding(descriptor, recipeForArguments, inheriting: inheriting)
  }

  override func failing(with fault: ResolutionError) -> Binding {
    // As above, with no recipe to hand a key down by.
    ArgumentBinding(descriptor.failing(with: fault), ArgumentRecipe(failingWith: fault))
  }

  override func readyToStand() -> Binding {
    guard descriptor.nature.inheritsKey, let key, let recipe = inheriting?(key) else { return self }
    return ArgumentBinding(descriptor, recipe, inheriting: inheriting)
  }

  override func forward<Other>(
    to other: Other.Type, key: Key?, _ convert: @escaping @Sendable (Service) -> Other
  ) -> ServiceBinding<Other> {
    ArgumentBinding<Other, repeat each Argument>(
      forwardDescriptor(ServiceIdentity(other, arguments: repeat (each Argument).self), key),
      ArgumentRecipe(
        synchrony: synchrony,
        make: { (resolver: Resolver, arguments: repeat each Argument) in
          let service = try self.inForce(resolver) {
            try $0.current($1, $0.recipe(with: repeat each arguments))
          }
          return convert(service)
        },
        makeAsync: { (resolver: Resolver, arguments: repeat each Argument) in
          let service = try await self.inForce(resolver) {
            try await $0.current($1, $0.recipe(with: repeat each arguments))
          }
          return Box(convert(service))
        }))
  }

  override func decorated(by decorator: Decorator<Service>) -> ServiceBinding<Service> {
    ArgumentBinding(decoratedDescriptor(decorator.synchrony(of: self)), recipe(decoratedBy: decorator))
      .settled(beside: self)
  }

  override func delegate(to candidates: [Binding]) -> Binding {
    ArgumentBinding(delegateDescriptor(), Self.recipe(choosingFrom: candidates)).settled(beside: self)
  }

  func recipe(for arguments: repeat each Argument) -> Recipe<Service> {
    var recipe = recipeForArguments.recipe(for: repeat each arguments)
    if descriptor.keepsPerArguments { recipe.argumentValues = ArgumentValues(repeat each arguments) }
    return recipe
  }
}
