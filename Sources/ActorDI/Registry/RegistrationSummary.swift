/// What the text of an error says about a registration. Retains neither its closures nor its container.
struct RegistrationSummary: Sendable {
  let identity: ServiceIdentity
  let scope: Scope
  /// The parameters of its autowired initialisers.
  let parameters: [Dependency]
}
