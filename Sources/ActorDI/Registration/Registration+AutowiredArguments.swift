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
    self.init(
      TypeList(repeat (each Dependency).self), taking: repeat (each Argument).self, scope: scope, fileID, line
    ) { inherited in
      let factory = Factory(taking: { (resolver, arguments: repeat each Argument) in
        let given = GivenArguments(repeat each arguments)
        return try initializer(
          repeat try given.resolve((each Dependency).self, from: resolver, inheriting: inherited))
      })
      return Recipe(.either, factory) { resolver, arguments in
        let values = try Arguments.values(of: arguments, for: Service.self, repeat (each Argument).self)
        let given = GivenArguments(repeat each values)
        return Instance(
          holding: try initializer(
            repeat try await given.resolve((each Dependency).self, from: resolver, inheriting: inherited)))
      }
    }
  }

  /// Creates an autowired registration. Notes a fault if the run-time arguments cannot be matched with the parameters.
  ///
  /// - Parameters:
  ///   - parameters: The types of the initialiser's parameters.
  ///   - arguments: The types of the run-time arguments, if any.
  ///   - recipe: The recipe for a key that the dependencies inherit; see ``inheritKey()``.
  init<each Argument: Sendable>(
    _ parameters: TypeList, taking arguments: repeat (each Argument).Type, scope: Scope?, _ fileID: StaticString,
    _ line: UInt, recipe: @escaping @Sendable (_ inherited: Key?) -> Recipe
  ) {
    let listed = TypeList(repeat (each Argument).self)
    let taken = Arguments.type(of: repeat (each Argument).self)
    self.init(parameters.dependencies(except: listed), taking: taken, scope, fileID, line, recipe: recipe)
    guard let reason = listed.reason(againstFilling: parameters) else { return }
    let initializer = "(\(parameters.types.map { "\($0)" }.joined(separator: ", "))) -> \(Service.self)"
    binding.describe {
      $0.options.fault = { .ambiguousArguments($0, initializer: initializer, reason: reason) }
    }
  }
}
