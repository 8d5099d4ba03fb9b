import ActorDI
import Checks

/// The relationship types, which state how a service is needed.
func relationships(_ checks: Checks) async throws {
  let container = Container {
    Registration(autowired: Parent.self, scope: .singleton, initializer: Parent.init)
    Registration(autowired: Child.self, scope: .singleton, initializer: Child.init)
    Registration(autowired: Mailer.self) { Mailer() }
    Registration(Greeting.self) { (_, name: String) in
      Greeting(name: name, clock: SystemClock())
    }
    Registration(autowired: (any Database).self, scope: .singleton) { ReadReplica() }
    Registration(autowired: (any Database).self, scope: .singleton) { ReadReplica() }.key("second")
  }
  let parent = try await container.resolve(Parent.self)
  checks.expect(try await parent.child().parent === parent, "Lazy breaks a cycle")
  checks.expect(parent.theme == nil, "T? is nil when it is not registered")
  checks.expect(try await parent.mailers() !== parent.mailers(), "each call of a Provider makes an instance")

  checks.expect(try await container.resolve([any Database].self).count == 2, "[T] is all of them")
  checks.expect(try await container.resolve([Theme].self).isEmpty, "[T] of nothing")
  checks.expect(try await container.resolve(Theme?.self) == nil, "T? of nothing")
  checks.expect(try await container.resolve(Mailer?.self) != nil, "T? of something")
  let greetings = try await container.resolve(Provider<Greeting>.self)
  checks.expect(try await greetings("Ada").name == "Ada", "a provider with an argument")
  let lazy = try await container.resolve(Lazy<Parent>.self)
  checks.expect(try await lazy() === parent, "Lazy, resolved by hand")
}

final class Parent: Sendable {
  let child: Lazy<Child>
  let mailers: Provider<Mailer>
  let theme: Theme?

  init(child: Lazy<Child>, mailers: Provider<Mailer>, theme: Theme?) {
    self.child = child
    self.mailers = mailers
    self.theme = theme
  }
}

final class Child: Sendable {
  let parent: Parent
  init(parent: Parent) { self.parent = parent }
}
