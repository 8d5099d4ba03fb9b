/// What a registration does at the end of its instances.
///
/// The instance comes in its ``Box``, so that this has no type parameter: to look generic types up costs more than many a disposal.
struct DisposalHook: Sendable {
  /// Nil for a hook that has to suspend.
  let run: (@Sendable (Instance) throws -> Void)?
  let runAsync: (@concurrent @Sendable (Instance) async throws -> Void)?

  init<Service>(_ hook: @escaping @Sendable (Service) throws -> Void) {
    // Not by `service(in:)`: in code that does not know the type, what a function returns is a copy.
    run = { try hook(unsafe unsafeDowncast($0.object, to: Box<Service>.self).value) }
    runAsync = nil
  }

  init<Service: Sendable>(
    asynchronous hook: @escaping @concurrent @Sendable (Service) async throws -> Void
  ) {
    run = nil
    runAsync = { try await hook(Self.service(in: $0)) }
  }

  private static func service<Service>(in instance: Instance) -> Service {
    unsafe unsafeDowncast(instance.object, to: Box<Service>.self).value
  }
}
