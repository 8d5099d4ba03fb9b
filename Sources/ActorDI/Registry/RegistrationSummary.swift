/// What the text of an error says about a registration. Retains neither its closures nor its container.
struct RegistrationSummary: Sendable {
  let identity: ServiceIdentity
  let scope: Scope
  /// The parameters of its autowired initialisers.
  let parameters: [Dependency]

  init(_ binding: Binding) {
    identity = binding.identity
    // Most bindings have no other binding in front of them or behind them.
    guard binding.lazyExtras.isSet else {
      scope = binding.descriptor.scope
      parameters = binding.descriptor.parameters
      return
    }
    scope = binding.effectiveScope
    parameters = Candidates.of(binding.undecorated).flatMap(\.innermost.descriptor.parameters)
  }
}
