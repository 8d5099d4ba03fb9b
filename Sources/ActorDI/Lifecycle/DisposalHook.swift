/// What a registration does at the end of its instances.
///
struct DisposalHook: Sendable {
  /// Nil for a hook that has to suspend.
  let run: (@Sendable (Instance) throws -> Void)?
  let runAsync: (@concurrent @Sendable (Instance) async throws -> Void)?

  init<Service>(_ hook: @escaping @Sendable (Service) throws -> Void) {
    run = { try $0.lend(to: hook) }
    runAsync = nil
  }

  init<Service: Sendable>(
    asynchronous hook: @escaping @concurrent @Sendable (Service) async throws -> Void
  ) {
    run = nil
    runAsync = { try await hook($0.value()) }
  }
}
