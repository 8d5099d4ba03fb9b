import ActorDI

// In an asynchronous function, the compiler chooses the asynchronous `resolve`. These methods name the synchronous one.
extension Container {
  nonisolated func resolveNow<Service: Sendable>(
    _ service: Service.Type = Service.self
  ) throws -> Service {
    try resolve(service)
  }

  nonisolated func resolveNow<Service: Sendable>(
    _ service: Service.Type = Service.self, key: some Hashable & Sendable
  ) throws -> Service {
    try resolve(service, key: key)
  }
}
