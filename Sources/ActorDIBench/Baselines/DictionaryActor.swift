/// The usual hand-written solution for asynchronous code: an actor with a dictionary keyed by type.
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

  /// Returns the kept instance, built in a task of its own on the first request.
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
