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
  var recipe: any BindingRecipe<Service>
  var key: Key?
  /// Nil: the container's default.
  var chosenScope: Scope?
  /// Whether a container may keep instances: the initialiser that was taken knows that the service is Sendable.
  let isKeepable: Bool
  var keeping = Keeping()
  var hooks = Hooks<Service>()
  var forwards: [ForwardRecipe<Service>] = []
  /// Dependencies of hooks, such as injected properties.
  var hookDependencies: [Dependency] = []
  /// All have to hold when it is registered.
  var conditions: [@Sendable () -> Bool] = []
  var yieldsToEarlier = false
  var inheritsKey = false
  /// What the factory is said to take: see `dependsOn(_:)`.
  var declaredDependencies: [Dependency] = []
  /// Whether it is said at all: a factory may be known to take nothing.
  var declaresDependencies = false
  /// Whether ``Container/start()`` builds it.
  var isEager = false
  let source: RegistrationSource

  @usableFromInline
  init(
    plain recipe: Recipe<Service>, scope: Scope?, isKeepable: Bool, _ source: RegistrationSource
  ) {
    self.init(PlainRecipe(recipe: recipe), scope, isKeepable, source)
  }

  @usableFromInline
  init<each Argument: Sendable>(
    arguments recipe: ArgumentRecipe<Service, repeat each Argument>, scope: Scope?,
    isKeepable: Bool, _ source: RegistrationSource
  ) {
    self.init(PackRecipe(recipe: recipe), scope, isKeepable, source)
  }

  private init(
    _ recipe: any BindingRecipe<Service>, _ scope: Scope?, _ isKeepable: Bool,
    _ source: RegistrationSource
  ) {
    self.recipe = recipe
    chosenScope = scope
    self.isKeepable = isKeepable
    self.source = source
  }
}

/// Where a registration was written.
public struct RegistrationSource: Sendable, CustomStringConvertible {
  /// Module and file, as `#fileID`.
  public let fileID: StaticString
  /// The line, from 1.
  public let line: UInt32

  @usableFromInline
  init(_ fileID: StaticString, _ line: UInt) {
    self.fileID = fileID
    self.line = UInt32(truncatingIfNeeded: line)
  }

  /// File and line, as compilers print them.
  public var description: String { "\(fileID):\(line)" }
}

extension RegistrationSource: Hashable {
  /// Whether two registrations were written in the same line of the same file.
  public static func == (left: RegistrationSource, right: RegistrationSource) -> Bool {
    left.line == right.line && left.fileID.description == right.fileID.description
  }

  /// Hashes the line and the file's name.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(line)
    hasher.combine(fileID.description)
  }
}

/// A recipe with or without run-time arguments, which a registration need not know.
protocol BindingRecipe<Service>: Sendable {
  associatedtype Service

  var identity: ServiceIdentity { get }
  var synchrony: Synchrony { get }
  var dependencies: [Dependency] { get }
  var fault: ResolutionError? { get }

  func bind(
    _ descriptor: Descriptor, hooks: Hooks<Service>, _ place: BindingPlace
  ) -> ServiceBinding<Service>

  /// The recipe of another service, made from this one's instance.
  func map<Other>(_ convert: @escaping @Sendable (Service) -> Other, of binding: ServiceBinding<Service>)
    -> any BindingRecipe<Other>

  /// The same, failing always.
  func failing(with fault: ResolutionError) -> Self

  /// Whether it knows its dependencies as parameters.
  var isAutowired: Bool { get }

  /// The same, with each dependency looked for under the key that the service is asked for with. Without a key it is the same
  /// for those who ask for none.
  func inheriting(_ key: Key?) -> Self
}

/// Where a binding will stand.
struct BindingPlace {
  let owner: Container
  let order: UInt
}

struct PlainRecipe<Service>: BindingRecipe {
  var recipe: Recipe<Service>

  var identity: ServiceIdentity { ServiceIdentity(Service.self) }
  var synchrony: Synchrony { recipe.synchrony }
  var dependencies: [Dependency] { recipe.dependencies }
  var fault: ResolutionError? { recipe.fault }

  func bind(
    _ descriptor: Descriptor, hooks: Hooks<Service>, _ place: BindingPlace
  ) -> ServiceBinding<Service> {
    ServiceBinding(
      descriptor, recipe: recipe, hooks: hooks, owner: place.owner, order: place.order)
  }

  func map<Other>(
    _ convert: @escaping @Sendable (Service) -> Other, of binding: ServiceBinding<Service>
  ) -> any BindingRecipe<Other> {
    PlainRecipe<Other>(
      recipe: Recipe(
        binding.synchrony,
        make: { convert(try binding.inForce($0) { try $0.current($1) }) },
        makeAsync: { Box(convert(try await binding.inForce($0) { try await $0.current($1) })) }))
  }

  func failing(with fault: ResolutionError) -> Self {
    var copy = self
    copy.recipe.fault = fault
    return copy
  }

  var isAutowired: Bool { recipe.inheriting != nil }

  func inheriting(_ key: Key?) -> Self {
    guard let inheriting = recipe.inheriting else { return self }
    var copy = self
    if let key {
      copy.recipe = inheriting(key)
      copy.recipe.inheriting = inheriting
      copy.recipe.dependencies = recipe.dependencies
      copy.recipe.fault = recipe.fault
    }
    copy.recipe.handsDownKey = true
    return copy
  }
}

struct PackRecipe<Service, each Argument: Sendable>: BindingRecipe {
  var recipe: ArgumentRecipe<Service, repeat each Argument>

  var identity: ServiceIdentity {
    ServiceIdentity(Service.self, arguments: repeat (each Argument).self)
  }
  var synchrony: Synchrony { recipe.synchrony }
  var dependencies: [Dependency] { recipe.dependencies }
  var fault: ResolutionError? { recipe.fault }

  func bind(
    _ descriptor: Descriptor, hooks: Hooks<Service>, _ place: BindingPlace
  ) -> ServiceBinding<Service> {
    ArgumentBinding(
      descriptor, recipe: recipe, hooks: hooks, owner: place.owner, order: place.order)
  }

  func map<Other>(
    _ convert: @escaping @Sendable (Service) -> Other, of binding: ServiceBinding<Service>
  ) -> any BindingRecipe<Other> {
    PackRecipe<Other, repeat each Argument>(
      recipe: ArgumentRecipe(
        synchrony: binding.synchrony,
        make: { (resolver: Resolver, arguments: repeat each Argument) in
          let service = try binding.inForce(resolver) {
            try $0.current($1, $0.recipe(with: repeat each arguments))
          }
          return convert(service)
        },
        makeAsync: { (resolver: Resolver, arguments: repeat each Argument) in
          let service = try await binding.inForce(resolver) {
            try await $0.current($1, $0.recipe(with: repeat each arguments))
          }
          return Box(convert(service))
        }))
  }

  func failing(with fault: ResolutionError) -> Self {
    var copy = self
    copy.recipe.fault = fault
    return copy
  }

  var isAutowired: Bool { recipe.inheriting != nil }

  func inheriting(_ key: Key?) -> Self {
    guard let inheriting = recipe.inheriting else { return self }
    var copy = self
    if let key {
      copy.recipe = inheriting(key)
      copy.recipe.inheriting = inheriting
      copy.recipe.dependencies = recipe.dependencies
      copy.recipe.fault = recipe.fault
    }
    copy.recipe.handsDownKey = true
    return copy
  }
}
