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
  var dependencies: [Dependency] = []
  /// For an autowired one: the recipe that hands a key down to its dependencies.
  var inheriting: (@Sendable (Key) -> ArgumentRecipe<Service, repeat each Argument>)?
  /// Whether it does so: ``Registration/inheritKey()``.
  var handsDownKey = false
  var fault: ResolutionError?

  /// The recipe for given arguments.
  func recipe(for arguments: repeat each Argument) -> Recipe<Service> {
    if let fault { return Recipe(failingWith: fault) }
    let make = self.make
    let bound: Recipe<Service>.Make = { try make($0, repeat each arguments) }
    guard let makeAsync else { return Recipe(synchrony, make: bound, makeAsync: nil) }
    let boundAsync: Recipe<Service>.MakeAsync = { try await makeAsync($0, repeat each arguments) }
    return Recipe(synchrony, make: bound, makeAsync: boundAsync)
  }

  /// What the binding shows to those who do not know of arguments.
  var withoutArguments: Recipe<Service> {
    Recipe(
      synchrony,
      make: { _ in throw ResolutionError(.argumentMismatch, for: ServiceIdentity(Service.self)) },
      makeAsync: nil, dependencies: dependencies, fault: fault)
  }
}
