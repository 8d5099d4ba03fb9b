// Registration by an initialiser of which some parameters are run-time arguments.
extension Registration where Service: Sendable {
  /// Creates an autowired registration with or without run-time arguments.
  ///
  /// - Parameter factory: Calls the initialiser for a synchronous caller if there are no run-time arguments.
  @usableFromInline
  init<each Argument: Sendable, each Dependency>(
    autowired factory: Factory, _ initializer: @escaping @Sendable (repeat each Dependency) throws -> Service,
    arguments: repeat (each Argument).Type, scope: Scope?, _ fileID: StaticString, _ line: UInt
  ) {
    let listed = TypeList(repeat (each Argument).self)
    if listed.types.isEmpty {
      self.init(autowired: factory, initializer, scope, fileID, line)
      return
    }
    let makeRecipe: @Sendable (Key?) -> ArgumentRecipe<repeat each Argument> = { inherited in
      ArgumentRecipe(.either) { (arguments: repeat each Argument) in
        let given = GivenArguments(repeat each arguments)
        let factory = Factory { resolver in
          try initializer(
            repeat try given.take((each Dependency).self)
              ?? resolver.resolve((each Dependency).self, inheriting: inherited))
        }
        return Recipe(.either, factory) { resolver in
          Instance(
            holding: try initializer(
              repeat try await given.resolve((each Dependency).self, from: resolver, inheriting: inherited)))
        }
      }
    }
    self.init(makeRecipe(nil), scope, fileID, line)
    let parameters = TypeList(repeat (each Dependency).self)
    noteAutowiring(parameters.dependencies(except: listed)) { ArgumentBinding($0, makeRecipe($1)) }
    let fault = listed.fault(
      filling: parameters, of: Service.self, initializer: "\((repeat each Dependency).self) -> \(Service.self)")
    if let fault { binding = binding.failing(with: fault) }
  }
}
