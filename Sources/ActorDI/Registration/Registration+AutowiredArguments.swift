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
    let parameters = TypeList(repeat (each Dependency).self)
    let arguments = Arguments.type(of: repeat (each Argument).self)
    self.init(parameters.dependencies(except: listed), taking: arguments, scope, fileID, line) { inherited in
      let factory = Factory(taking: { (resolver, arguments: repeat each Argument) in
        let given = GivenArguments(repeat each arguments)
        return try initializer(
          repeat try given.take((each Dependency).self)
            ?? resolver.resolve((each Dependency).self, inheriting: inherited))
      })
      return Recipe(.either, factory) { resolver, arguments in
        let values = try Arguments.values(of: arguments, for: Service.self, repeat (each Argument).self)
        let given = GivenArguments(repeat each values)
        return Instance(
          holding: try initializer(
            repeat try await given.resolve((each Dependency).self, from: resolver, inheriting: inherited)))
      }
    }
    guard let reason = listed.reason(againstFilling: parameters) else { return }
    let initializer = "\((repeat each Dependency).self) -> \(Service.self)"
    binding.describe {
      $0.options.fault = { .ambiguousArguments($0, initializer: initializer, reason: reason) }
    }
  }
}
