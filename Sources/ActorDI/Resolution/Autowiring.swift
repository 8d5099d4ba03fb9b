/// The types of a parameter or argument list, in order.
struct TypeList {
  let types: [any Any.Type]

  init<each Element>(_ elements: repeat (each Element).Type) {
    var types: [any Any.Type] = []
    for element in repeat each elements { types.append(element) }
    self.types = types
  }

  /// The dependencies of parameters of these types, except the run-time arguments.
  func dependencies(except given: TypeList = TypeList()) -> [Dependency] {
    types.filter { given.count(of: $0) == 0 }.map { Dependency(on: ServiceIdentity($0)) }
  }

  func count(of type: any Any.Type) -> Int { types.count { $0 == type } }

  /// The reason why these arguments cannot fill the given parameters; nil if each argument fills exactly one.
  func reason(againstFilling parameters: TypeList) -> String? {
    for type in types {
      switch (count(of: type), parameters.count(of: type)) {
      case (1, 1): continue
      case (1, 0): return "it has no parameter for the argument \(type)"
      case (1, let count): return "\(count) of its parameters have the type of the one argument \(type)"
      default: return "\(type) is listed twice in its arguments"
      }
    }
    return nil
  }
}

/// The run-time arguments of one resolve, looked up by type.
struct GivenArguments {
  private var values: [ObjectIdentifier: Instance] = [:]

  init<each Argument>(_ arguments: repeat each Argument) {
    func add<Value>(_ value: Value) { values[ObjectIdentifier(Value.self)] = Instance(holding: value) }
    repeat add(each arguments)
  }

  /// The argument of exactly this type; nil if there is none.
  func take<Value>(_ type: Value.Type) -> Value? { values[ObjectIdentifier(type)]?.value(as: type) }

  /// The argument of exactly this type, or the service that the container resolves.
  func resolve<Value>(_ type: Value.Type, from resolver: Resolver, inheriting key: Key?) throws -> Value {
    try take(type) ?? resolver.resolve(type, inheriting: key)
  }

  func resolve<Value>(_ type: Value.Type, from resolver: Resolver, inheriting key: Key?) async throws -> Value {
    if let value = take(type) { return value }
    return try await resolver.resolve(type, inheriting: key)
  }
}

extension Container {
  /// Whether a service can be resolved now without suspending: its instance exists, or it can be built so. Runs no factory.
  nonisolated func canResolveSynchronously(_ binding: Binding) -> Bool {
    var visited: Set<ObjectIdentifier> = []
    return canResolveSynchronously(Located(binding: binding, container: self), &visited)
  }

  /// Whether a service can be built now without suspending, on this thread, with all that it takes directly or indirectly. Runs no factory.
  ///
  /// An instance of the service itself does not count. If there is one, it may be dropped before the caller takes it.
  nonisolated func canBuildSynchronously(_ binding: Binding) -> Bool {
    var visited: Set<ObjectIdentifier> = [ObjectIdentifier(binding)]
    return canBuildSynchronously(Located(binding: binding, container: self), &visited)
  }

  private nonisolated func canResolveSynchronously(_ located: Located, _ visited: inout Set<ObjectIdentifier>) -> Bool {
    let binding = located.binding
    guard visited.insert(ObjectIdentifier(binding)).inserted else { return true }
    return binding.existingHolder(for: self)?.existing() != nil || canBuildSynchronously(located, &visited)
  }

  private nonisolated func canBuildSynchronously(_ located: Located, _ visited: inout Set<ObjectIdentifier>) -> Bool {
    let binding = located.binding
    switch binding.kind {
    // Two cases, since one case cannot have several patterns for a value that is not copyable.
    case .registration: break
    case .alias: break
    case .decorator:
      return binding.synchrony != .asynchronous
        && (binding.synchrony != .mainActor || MainExecutor.isCurrent)
        && binding.wrapped(in: located.container).allSatisfy { canResolveSynchronously($0, &visited) }
    case .choice(let candidates):
      guard let chosen = try? Candidates.choose(candidates, for: Resolver(container: self)) else { return true }
      return canResolveSynchronously(Located(binding: chosen, container: located.container), &visited)
    }
    if binding.wasLastIncomplete { return false }
    switch binding.synchrony {
    case .synchronous: return true
    case .asynchronous: return false
    case .mainActor: guard MainExecutor.isCurrent else { return false }
    case .either: break
    }
    let container = binding.container(for: self)
    return binding.descriptor.dependencies.allSatisfy { dependency in
      container.targets(of: dependency, for: binding.id).allSatisfy {
        container.canResolveSynchronously($0, &visited)
      }
    }
  }

  /// The bindings that a dependency would be resolved from now.
  nonisolated func targets(of dependency: Dependency, for asker: BindingID? = nil) -> [Located] {
    if dependency.need == .deferred { return [] }
    return DependencySearch(for: dependency, in: self, asker: asker, allowingArguments: true).targets
  }
}
