/// How an instance is made from run-time arguments.
@usableFromInline
struct ArgumentRecipe<Service, each Argument: Sendable>: Sendable {
  @usableFromInline typealias Make =
    @Sendable (Resolver, repeat each Argument) throws -> Service
  @usableFromInline typealias MakeAsync =
    @concurrent @Sendable (Resolver, repeat each Argument) async throws -> Box<Service>

  let synchrony: Synchrony
  let make: Make
  let makeAsync: MakeAsync?

  /// The recipe for given arguments.
  func recipe(for arguments: repeat each Argument) -> Recipe<Service> {
    let make = self.make
    let bound: Recipe<Service>.Make = { try make($0, repeat each arguments) }
    guard let makeAsync else { return Recipe(synchrony, make: bound) }
    let boundAsync: Recipe<Service>.MakeAsync = { try await makeAsync($0, repeat each arguments) }
    return Recipe(synchrony, make: bound, makeAsync: boundAsync)
  }

  /// The recipe of a faulty registration.
  init(failingWith fault: ResolutionError) {
    self.init(
      synchrony: .synchronous, make: { (_: Resolver, _: repeat each Argument) in throw fault }, makeAsync: nil)
  }

  init(synchrony: Synchrony, make: @escaping Make, makeAsync: MakeAsync?) {
    self.synchrony = synchrony
    self.make = make
    self.makeAsync = makeAsync
  }

  init(synchronous make: @escaping Make) {
    self.init(synchrony: .synchronous, make: make, makeAsync: nil)
  }

  init(asynchronous makeAsync: @escaping MakeAsync) {
    self.init(
      synchrony: .asynchronous,
      make: { (_: Resolver, _: repeat each Argument) in
        throw ResolutionError(.asyncRequired, for: ServiceIdentity(Service.self))
      }, makeAsync: makeAsync)
  }

  init(
    mainActor factory:
      @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws ->
      Service
  ) {
    self.init(
      synchrony: .mainActor,
      make: { (resolver: Resolver, arguments: repeat each Argument) in
        try MainExecutor.assumeIsolated { try factory(resolver, repeat each arguments) }
      },
      makeAsync: { (resolver: Resolver, arguments: repeat each Argument) in
        try await MainActor.run { Box(try factory(resolver, repeat each arguments)) }
      })
  }
}
