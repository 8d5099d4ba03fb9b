import ActorDI
import Checks
import Mailing

/// A condition whose value the compiler does not know.
private var isWanted: Bool { true }

/// The forms of registrations, and their composition.
func registering(_ checks: Checks) async throws {
  let container = Container {
    // Factories that throw, are asynchronous, or run on the main actor.
    Registration(autowired: Port.self) { try Port(checking: 80) }
    Registration(Host.self) { r in Host(port: try await r.resolve()) }
    Registration(autowired: Window.self, scope: .singleton) { @MainActor in Window() }
    // Each caller owns its instance of a service that is not `Sendable`.
    Registration(Draft.self) { _ in Draft() }
    // Autowired: with the service inferred, with run-time arguments, and with an asynchronous initialiser.
    Registration(initializer: Owner.init)
    Registration(
      autowired: Report.self, arguments: String.self, Int.self, initializer: Report.init)
    Registration(autowired: Remote.self, scope: .singleton, initializer: Remote.init)
    // An instance, a value expression, a loop, a condition and a group.
    Registration(instance: Licence(holder: "Ada"))
    Theme.dark
    for size in [8, 16] {
      Registration(autowired: Font.self, scope: .singleton) { Font(size: size) }.key(size)
    }
    if isWanted { Registration(autowired: Patience.self) { Patience() } }
    RegistrationGroup(scope: .singleton, key: "grouped") {
      Registration(autowired: Member.self) { Member() }
    }
  }

  checks.expect(try await container.resolve(Host.self).port.number == 80, "an async factory")
  let window = try await container.resolve(Window.self)
  checks.expect(try await container.resolve(Window.self) === window, "a main-actor singleton")
  let draft = try await container.resolve(Draft.self)
  draft.text += "mine"
  checks.expect(try await container.resolve(Draft.self).text.isEmpty, "a draft of one's own")
  checks.expect(try await container.resolve(Owner.self).port.number == 80, "an initialiser")
  let report = try await container.resolve(Report.self, arguments: "costs", 7)
  checks.expect(report.title == "costs" && report.pages == 7, "run-time arguments")
  checks.expect(report.font == nil, "an optional dependency that is not registered")
  checks.expect(try await container.resolve(Remote.self).port.number == 80, "async initialiser")
  checks.expect(try await container.resolve(Licence.self).holder == "Ada", "an instance")
  checks.expect(try await container.resolve(Theme.self) == .dark, "a value")
  checks.expect(try await container.resolve(Font.self, key: 16).size == 16, "a keyed service")
  checks.expect(try await container.resolve([Font].self).map(\.size) == [8, 16], "all fonts")
  checks.expect(container.contains(Patience.self), "a condition")
  let member = try await container.resolve(Member.self, key: "grouped")
  checks.expect(
    try await container.resolve(Member.self, key: "grouped") === member, "a group's scope")
  try await defaults(checks)
  try await modifiers(checks)
  await faults(checks)
}

/// Tokens of another module, which bring services of internal types along.
private func defaults(_ checks: Checks) async throws {
  let container = Container { Theme.dark }
  checks.expect(container.contains(.mailer) && container.registrationCount == 1, "a default that nobody has needed")
  let mailer = try await container.resolve(.mailer)
  checks.expect(mailer.host == "localhost", "a default of an internal type")
  checks.expect(try await container.resolve(.mailer) === mailer, "a kept default")
  let other = Container { Registration(instance: "mail.example").key(.mailHost) }
  checks.expect(try await other.resolve(.mailer).host == "mail.example", "a default with a registered dependency")
}

private func modifiers(_ checks: Checks) async throws {
  let container = Container {
    Registration(autowired: Member.self, scope: .singleton) { Member() }
      .implements((any Named).self) { $0 }
      .onCreated { member, _ in member.log.append("first") }
      .onCreated { member, _ in
        await Task.yield()
        member.log.append("second")
      }
    Registration(autowired: Holder.self) { Holder() }.inject(\.member).scope(.shared)
  }
  let member = try await container.resolve(Member.self)
  checks.expect(member.log.texts == ["first", "second"], "hooks in order: \(member.log.texts)")
  let named = try await container.resolve((any Named).self)
  checks.expect(named as? Member === member, "the same instance under another type")
  let holder = try await container.resolve(Holder.self)
  checks.expect(holder.member === member, "property injection")
}

private func faults(_ checks: Checks) async {
  let container = Container()
  await checks.expectError(.ambiguousArguments) {
    try await container.autoregister(
      Report.self, arguments: String.self, String.self, initializer: Report.init)
  }
  await checks.expectError(.notRegistered) { _ = try await container.resolve(Port.self) }
  let strict = Container(configuration: .init(duplicates: .error)) { Theme.dark }
  await checks.expectError(.duplicate) { try await strict.register { Theme.light } }
}
