import ActorDI
import Checks

/// Registering, resolving, and the structure of containers.
func usingContainers(_ checks: Checks) async throws {
  let container = Container(name: "app") {
    Registration(autowired: Mailer.self, scope: .singleton) { Mailer() }
  }
  checks.expect(container.resolveIfReady(Mailer.self) == nil, "nothing is built yet")
  let mailer = try await container.resolve(Mailer.self)
  checks.expect(container.resolveIfReady(Mailer.self) === mailer, "the kept instance")
  let borrowed = try container.withResolved(Mailer.self) { ObjectIdentifier($0) }
  checks.expect(borrowed == ObjectIdentifier(mailer), "the borrowed instance")
  let provider = container.provider(for: Mailer.self)
  checks.expect(try await provider() === mailer, "a provider")
  checks.expect(container.registrationCount == 1, "one registration")
  checks.expect(container.registrations.first?.scope == .singleton, "and what is known of it")

  try await container.register(Licence.self, scope: .singleton) { _ in Licence(holder: "Bob") }
  try await container.register(Greeting.self, key: "formal") { (r, name: String) in
    Greeting(name: "Dr \(name)", clock: SystemClock())
  }
  try await container.autoregister(Holder.self, scope: .shared, initializer: Holder.init)
  let formal = try await container.resolve(Greeting.self, key: "formal", arguments: "Ada")
  checks.expect(formal.name == "Dr Ada", "key and argument")
  checks.expect(await container.unregister(Licence.self), "it was there")
  checks.expect(await !container.unregister(Licence.self), "it is gone")
  checks.expect(!container.contains(Licence.self), "and not found")

  await container.reset(Mailer.self)
  checks.expect(container.resolveIfReady(Mailer.self) == nil, "reset drops the instance")
  checks.expect(try await container.resolve(Mailer.self) !== mailer, "and it is built again")
  await container.reset(.singleton)
  await container.reset()

  let child = Container(name: "child", parent: container) {
    Registration(autowired: Font.self, scope: .singleton) { Font(size: 1) }
  }
  let shared = try await child.resolve(Mailer.self)
  checks.expect(try await container.resolve(Mailer.self) === shared, "the parent's singleton")
  await checks.expectError(.notRegistered) { _ = try await container.resolve(Font.self) }
  checks.expect(try await child.resolve(Container.self) === child, "the container itself")
  checks.expect(try await child.resolve(Resolver.self).container === child, "the resolver itself")
}
