/// A binding that knows the type of its service, and so how to make one.
@usableFromInline
class ServiceBinding<Service>: Binding, @unchecked Sendable {
  // `@unchecked Sendable` as its superclass: all that it adds is immutable.

  /// The synchronous factory, called straight from the read path for a plain transient.
  @usableFromInline final let make: Recipe<Service>.Make
  private final let makeAsync: Recipe<Service>.MakeAsync?
  private final let recipeSynchrony: Synchrony
  /// The recipe for a key that is handed down to the dependencies; nil when none is.
  final let inheriting: (@Sendable (Key) -> Recipe<Service>)?
  /// What runs after the factory, in order.
  final let hooks: [CreationHook<Service>]
  /// What the container knows of the instances' own part in their creation.
  final let completion: Completion
  /// What it knows of their end.
  final let disposability: Disposability
  /// Whether there is nothing to make: the instance was registered as such.
  final let isInstance: Bool

  init(
    _ descriptor: Descriptor, recipe: Recipe<Service>, hooks: Hooks<Service>,
    takesArguments: Bool = false, owner: Container, order: UInt
  ) {
    let recipe = recipe.fault.map { Recipe(failingWith: $0) } ?? recipe
    make = recipe.make
    makeAsync = recipe.makeAsync
    recipeSynchrony = recipe.synchrony
    inheriting = recipe.handsDownKey ? recipe.inheriting : nil
    self.hooks = hooks.creation
    isInstance = recipe.isInstance
    let isMadeElsewhere = recipe.isInstance || descriptor.isForward || descriptor.isDecorated
    completion = Completion(of: Service.self, isMadeElsewhere: isMadeElsewhere)
    disposability = Disposability(of: Service.self, isMadeElsewhere: isMadeElsewhere)
    let isPlain =
      descriptor.scope.isTransient && !hooks.hasCreation && hooks.disposal.isEmpty && !takesArguments
      && !descriptor.isForward
      && completion != .asynchronous && disposability != .certain
    let scope = descriptor.scope
    let synchrony = Self.synchrony(of: recipe.synchrony, hooks.creation, completion)
    let isMadeByOneCall =
      synchrony == .synchronous && scope.isKept && !scope.isWeak && !hooks.hasCreation
      && inheriting == nil && disposability != .certain
      && (disposability != .none || hooks.disposal.isEmpty)
    let shortcut: Shortcut =
      switch recipe.synchrony {
      // What is decorated may turn out to be one to wait for.
      case .synchronous where isPlain: descriptor.isDecorated ? .forSynchronousCallers : .always
      case .either where isPlain: .forSynchronousCallers
      default: .none
      }
    super.init(
      descriptor, owner: owner, order: order, shortcut: shortcut,
      synchrony: synchrony, disposalHooks: hooks.disposal, isMadeByOneCall: isMadeByOneCall,
      typeProbe: completion == .none ? .fixed : DynamicTypeProbe(Service.self))
  }

  /// The recipe of a service without run-time arguments.
  final var recipe: Recipe<Service> {
    Recipe(recipeSynchrony, make: make, makeAsync: makeAsync)
  }

  /// The recipe that looks for dependencies under a key first, if the registration hands keys down.
  final func recipe(handingDown key: Key?) -> Recipe<Service> {
    key.flatMap { inheriting?($0) } ?? recipe
  }

  /// The recipe for run-time arguments of the types that the binding takes, or none.
  final func recipe<each Argument: Sendable>(with arguments: repeat each Argument) -> Recipe<Service> {
    if identity.arguments.isEmpty { return recipe }
    let binding = unsafe unsafeDowncast(self, to: ArgumentBinding<Service, repeat each Argument>.self)
    return binding.recipe(for: repeat each arguments)
  }

  private static func synchrony(
    of recipe: Synchrony, _ hooks: [CreationHook<Service>], _ completion: Completion
  ) -> Synchrony {
    if completion == .asynchronous { return .asynchronous }
    guard hooks.count > 0 else { return recipe }
    if hooks.contains(where: { $0.synchrony == .asynchronous }) { return .asynchronous }
    if recipe != .asynchronous, hooks.contains(where: { $0.synchrony == .mainActor }) { return .mainActor }
    // An injected property makes a synchronous factory depend on what is injected.
    let follows = recipe == .synchronous && hooks.contains { $0.synchrony == .either }
    return follows ? .either : recipe
  }

  override var mayTakeMore: Bool {
    descriptor.isOpaque || isDecorator || (hooks.count > 0 && hooks.contains { $0.synchrony != .either })
  }

  override func makeStorage(isPublished: Bool) -> any InstanceStorage {
    let isPublished = isPublished && descriptor.isPublished
    let storage: any InstanceStorage =
      if descriptor.scope.isWeak {
        SharedStorage<Service>(publishingIn: isPublished ? self : nil)
      } else if isPublished {
        SingletonStorage(self)
      } else {
        ScopedStorage()
      }
    guard let timeToLive = descriptor.keeping.timeToLive else { return storage }
    let standard = unsafe owner.configuration.clock
    return ExpiringStorage(storage, after: timeToLive.duration, by: timeToLive.clock ?? standard)
  }

  /// A binding that decorates this one.
  func decorated(by decorator: Decorator<Service>) -> ServiceBinding<Service> {
    ServiceBinding(
      decoratedDescriptor(), recipe: recipe(decoratedBy: decorator), hooks: Hooks(), owner: unsafe owner,
      order: order)
  }

  override func delegate(to candidates: [Binding]) -> Binding {
    ServiceBinding(
      delegateDescriptor(), recipe: Self.recipe(choosingFrom: candidates), hooks: Hooks(),
      owner: unsafe owner, order: order)
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

  init(
    _ descriptor: Descriptor, recipe: ArgumentRecipe<Service, repeat each Argument>,
    hooks: Hooks<Service>, owner: Container, order: UInt
  ) {
    recipeForArguments = recipe
    super.init(
      descriptor, recipe: recipe.withoutArguments, hooks: hooks, takesArguments: true,
      owner: owner, order: order)
  }

  override func decorated(by decorator: Decorator<Service>) -> ServiceBinding<Service> {
    ArgumentBinding(
      decoratedDescriptor(), recipe: recipe(decoratedBy: decorator), hooks: Hooks(), owner: unsafe owner,
      order: order)
  }

  override func delegate(to candidates: [Binding]) -> Binding {
    ArgumentBinding(
      delegateDescriptor(), recipe: Self.recipe(choosingFrom: candidates), hooks: Hooks(),
      owner: unsafe owner, order: order)
  }

  func recipe(for arguments: repeat each Argument) -> Recipe<Service> {
    var recipe = recipeForArguments.recipe(for: repeat each arguments)
    if descriptor.keepsPerArguments { recipe.argumentValues = ArgumentValues(repeat each arguments) }
    return recipe
  }
}
