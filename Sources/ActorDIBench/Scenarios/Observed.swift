import ActorDI

/// The cost of observation: the same resolves without observers, with a subscriber to the container's events, and with an observer in
/// its configuration.
///
/// Resolving an existing singleton is not an event, and costs the same in all three cases. Each transient is an event. The subscriber does
/// not read, so each event replaces an older one.
struct Observed: Scenario {
  static let name = "observation"
  static let summary = "existing singleton and transient, sync, any Greeter; no listener, a subscriber, an observer"

  func contenders() throws -> [Contender] {
    var contenders = [Floors.staticLet]
    for scope in [Scope.singleton, .transient] {
      contenders.append(contender("\(scope), no listener", scope))
      contenders.append(contender("\(scope), subscriber", scope, hasSubscriber: true))
      contenders.append(contender("\(scope), observer", scope, .init(observer: Deaf())))
    }
    return contenders
  }

  private func contender(
    _ name: String, _ scope: Scope, _ configuration: Container.Configuration = .init(), hasSubscriber: Bool = false
  ) -> Contender {
    // Made for each sample: while a container of the process is observed, resolves from all others check whether theirs is.
    @Sendable func make() throws -> Container {
      let container = Container(configuration: configuration) {
        Registration((any Greeter).self, scope: scope) { _ in PoliteGreeter() }
        for number in 0..<Fixtures.bystanders {
          Registration(Bystander.self, scope: .singleton) { _ in Bystander() }.key(number)
        }
      }
      _ = try container.resolve((any Greeter).self)
      return container
    }
    return Contender(
      name: name, role: .container,
      answer: { try await make().resolve((any Greeter).self).answer(Answers.question) },
      work: .own { load in
        let container = try make()
        let events = hasSubscriber ? container.events(bufferingNewest: 64) : nil
        defer { withExtendedLifetime(events) {} }
        return try ThreadTeam.run(load) { count in
          try repeating(count) { consume(try container.resolve((any Greeter).self)) }
        }
      })
  }
}

/// An observer that ignores all events.
private struct Deaf: ContainerObserver {
  func container(_ container: Container, didEmit event: ContainerEvent) {}
}
