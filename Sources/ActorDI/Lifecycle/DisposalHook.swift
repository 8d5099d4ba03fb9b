/// What a registration does at the end of its instances.
struct DisposalHook<Service>: Sendable {
  /// Nil for a hook that has to suspend.
  let run: (@Sendable (Service) throws -> Void)?
  let runAsync: (@concurrent @Sendable (Box<Service>) async throws -> Void)?

  init(_ run: @escaping @Sendable (Service) throws -> Void) {
    self.run = run
    runAsync = nil
  }

  init(asynchronous hook: @escaping @concurrent @Sendable (Service) async throws -> Void)
  where Service: Sendable {
    run = nil
    runAsync = { try await hook($0.value) }
  }
}
