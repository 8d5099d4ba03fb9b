/// Whether an instance can be had without suspending.
enum Synchrony: Sendable {
  /// The factory is synchronous.
  case synchronous
  /// The factory is asynchronous.
  case asynchronous
  /// As the dependencies are: an autowired initialiser.
  case either
  /// On the main thread; elsewhere one has to suspend.
  case mainActor
}

/// How an instance is made, once the run-time arguments are known.
@usableFromInline
struct Recipe<Service>: Sendable {
  @usableFromInline typealias Make = @Sendable (Resolver) throws -> Service
  /// Boxed, so that an instance that is not Sendable can come back from where the factory ran.
  @usableFromInline typealias MakeAsync = @concurrent @Sendable (Resolver) async throws -> Box<Service>

  let synchrony: Synchrony
  @usableFromInline let make: Make
  let makeAsync: MakeAsync?

  /// What is known without running anything.
  var dependencies: [Dependency] = []
  /// For an autowired one: the recipe that hands a key down to its dependencies.
  var inheriting: (@Sendable (Key) -> Recipe<Service>)?
  /// Whether it does so: ``Registration/inheritKey()``.
  var handsDownKey = false
  /// What the kept instance is told by from others of the service, where it is kept for each tuple of arguments.
  var argumentValues: ArgumentValues?
  /// A mistake in the registration itself, thrown when it is registered or resolved.
  var fault: ResolutionError?
  /// Whether there is nothing to make: the instance was registered as such.
  var isInstance = false

  @usableFromInline
  init(synchronous make: @escaping Make) {
    synchrony = .synchronous
    self.make = make
    makeAsync = nil
  }

  @usableFromInline
  init(asynchronous makeAsync: @escaping MakeAsync) {
    synchrony = .asynchronous
    make = { _ in throw ResolutionError(.asyncRequired, for: ServiceIdentity(Service.self)) }
    self.makeAsync = makeAsync
  }

  @usableFromInline
  init(
    either make: @escaping Make, _ makeAsync: @escaping MakeAsync, dependencies: [Dependency],
    inheriting: @escaping @Sendable (Key) -> Recipe<Service>
  ) {
    synchrony = .either
    self.make = make
    self.makeAsync = makeAsync
    self.dependencies = dependencies
    self.inheriting = inheriting
  }

  /// The recipe of a faulty registration.
  init(failingWith fault: ResolutionError) {
    self.init(synchronous: { _ in throw fault })
  }

  init(
    _ synchrony: Synchrony, make: @escaping Make, makeAsync: MakeAsync?,
    dependencies: [Dependency] = [], fault: ResolutionError? = nil
  ) {
    self.synchrony = synchrony
    self.make = make
    self.makeAsync = makeAsync
    self.dependencies = dependencies
    self.fault = fault
  }
}
