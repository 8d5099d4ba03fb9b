/// Whether an instance can be had without suspending.
@usableFromInline
enum Synchrony: UInt8, Sendable {
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
  let make: Make
  let makeAsync: MakeAsync?

  /// What the kept instance is told by from others of the service, where it is kept for each tuple of arguments.
  var argumentValues: ArgumentValues?

  init(_ synchrony: Synchrony, make: @escaping Make, makeAsync: MakeAsync? = nil) {
    self.synchrony = synchrony
    self.make = make
    self.makeAsync = makeAsync
  }

  @usableFromInline
  init(asynchronous makeAsync: @escaping MakeAsync) {
    self.init(
      .asynchronous, make: { _ in throw ResolutionError(.asyncRequired, for: ServiceIdentity(Service.self)) },
      makeAsync: makeAsync)
  }

  /// As its dependencies are.
  @usableFromInline
  init(either make: @escaping Make, _ makeAsync: @escaping MakeAsync) {
    self.init(.either, make: make, makeAsync: makeAsync)
  }

  init(
    mainActor make: @escaping @MainActor @Sendable (Resolver) throws -> Service,
    _ makeAsync: @escaping @MainActor @Sendable (Resolver) async throws -> Box<Service>
  ) {
    self.init(
      .mainActor,
      make: { resolver in try MainExecutor.assumeIsolated { try make(resolver) } },
      makeAsync: { resolver in try await makeAsync(resolver) })
  }

  init(mainActor factory: @escaping @MainActor @Sendable (Resolver) throws -> Service) {
    self.init(
      .mainActor,
      make: { resolver in try MainExecutor.assumeIsolated { try factory(resolver) } },
      makeAsync: { resolver in
        try await MainActor.run { Box(try factory(resolver)) }
      })
  }

  /// The recipe of a faulty registration.
  init(failingWith fault: ResolutionError) {
    self.init(.synchronous, make: { _ in throw fault })
  }
}
