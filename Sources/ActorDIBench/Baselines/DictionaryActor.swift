/// What many write by hand for asynchronous code: an actor around a dictionary by type.
actor DictionaryActor {
  private var instances: [ObjectIdentifier: any Sendable] = [:]
  private var builds: [ObjectIdentifier: Task<any Sendable, any Error>] = [:]

  func register<Service: Sendable>(_ type: Service.Type, instance: Service) {
    instances[ObjectIdentifier(type)] = instance
  }

  func resolve<Service: Sendable>(_ type: Service.Type = Service.self) -> Service {
    guard let service = instances[ObjectIdentifier(type)] as? Service else { missing(type) }
    return service
  }

  /// A kept instance that is built when it is asked for first.
  func resolve<Service: Sendable>(
    _ type: Service.Type = Service.self, orBuild build: @Sendable () -> Service
  ) -> Service {
    if let service = instances[ObjectIdentifier(type)] as? Service { return service }
    let built = build()
    instances[ObjectIdentifier(type)] = built
    return built
  }

  /// A kept instance that is built in a task of its own when it is asked for first.
  func resolve<Service: Sendable>(
    _ type: Service.Type = Service.self, orBuild build: @escaping @Sendable () async throws -> Service
  ) async throws -> Service {
    let place = ObjectIdentifier(type)
    let task = builds[place] ?? Task.detached { try await build() }
    builds[place] = task
    guard let service = try await task.value as? Service else { missing(type) }
    return service
  }
}
