import ActorDI
import Testing

/// A container, a child of it, and random operations on them.
final class World: Sendable {
  let census: Census
  let container: Container
  let child: Container
  let anchors = Sightings()

  init(_ census: Census) {
    self.census = census
    container = Container(name: "parent") {
      Registration(Anchor.self, scope: .singleton) { _ in Anchor(census) }
      Registration(Anchor.self, scope: .singleton) { _ in
        await Task.yield()
        return Anchor(census)
      }.key("suspending")
      Registration(.anchor, scope: .singleton) { _ in Anchor(census) }
    }
    child = Container(name: "child", parent: container) {
      Registration(autowired: WiredService.self, scope: .shared, initializer: WiredService.init)
    }
  }

  /// Resolves the services that are never replaced. Each has one identity until the next reset.
  func anchor() async throws {
    anchors.add(try await child.resolve(Anchor.self))
    anchors.add(try await container.resolve(Anchor.self, key: "suspending"))
    anchors.add(try await container.resolve(.anchor))
  }

  // MARK: Threads

  func resolveSynchronously(_ random: inout SeededRandom) {
    let key = Int.random(in: 0..<4, using: &random)
    let source = Bool.random(using: &random) ? container : child
    expect([.notRegistered, .asyncRequired]) {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: try check(source.resolve(SynchronousService.self, key: key).probe)
      case 1: try check(source.resolve(MixedService.self, key: key).probe)
      case 2: try source.resolve([MixedService].self).forEach { check($0.probe) }
      case 3: try source.withResolved(SynchronousService.self, key: key) { check($0.probe) }
      case 4: source.resolveIfReady(MixedService.self, key: key).map { check($0.probe) }
      case 5: try check(child.resolve(WiredService.self).first?.probe)
      case 6: try source.resolve([SynchronousService].self).forEach { check($0.probe) }
      default: try anchors.add(source.resolve(Anchor.self))
      }
    }
    expect([]) { try check(source.resolve(SynchronousService?.self)?.probe) }
  }

  // MARK: Tasks

  func step(_ random: inout SeededRandom) async {
    let key = Int.random(in: 0..<4, using: &random)
    let choice = Int.random(in: 0..<16, using: &random)
    await expect(choice < 8 ? [.notRegistered] : []) {
      switch choice {
      case 0: try await check(container.resolve(SynchronousService.self, key: key).probe)
      case 1: try await check(child.resolve(MixedService.self, key: key).probe)
      case 2: try await anchors.add(child.resolve(Anchor.self, key: "suspending"))
      case 3: try await anchors.add(container.resolve(.anchor))
      case 4: try await check(child.resolve(WiredService.self).first?.probe)
      case 5: await cancelled(key, Int.random(in: 0..<4, using: &random))
      case 6: try await resolveFromNewChild(key)
      case 7: try await container.resolve([MixedService].self).forEach { check($0.probe) }
      case 8: try await check(container.resolve(MixedService?.self)?.probe)
      case 9: try await container.register(synchronousService(key, &random))
      case 10: try await container.register(mixedService(key, &random))
      case 11:
        let batch = Registrations {
          synchronousService(key, &random)
          mixedService(key, &random)
        }
        try await container.register { batch }
      case 12: await container.unregister(MixedService.self, key: key)
      case 13: await container.reset(MixedService.self, key: key)
      case 14: await container.reset([Scope.shared, .graph].randomElement(using: &random))
      default: await Task.yield()
      }
    }
  }

  private func cancelled(_ key: Int, _ delay: Int) async {
    let task = Task {
      do {
        check(try await container.resolve(MixedService.self, key: key).probe)
      } catch is CancellationError {
      } catch {
        record(error, unless: [.notRegistered])
      }
    }
    for _ in 0..<delay { await Task.yield() }
    task.cancel()
    await task.value
  }

  private func resolveFromNewChild(_ key: Int) async throws {
    let census = census
    let own = Container(name: "own", parent: child) {
      Registration(SynchronousService.self, scope: .singleton) { r in
        SynchronousService(Probe(census), try r.resolve(MixedService?.self, key: "nowhere"))
      }
    }
    check(try await own.resolve(SynchronousService.self).probe)
    check(try await own.resolve(MixedService.self, key: key).probe)
  }

  // MARK: Registrations

  private func synchronousService(_ key: Int, _ random: inout SeededRandom) -> Registration<SynchronousService> {
    let census = census
    return Registration(scope: scope(&random)) { _ in SynchronousService(Probe(census), nil) }.key(key)
  }

  /// A service that needs the next one, if any, and a synchronous one.
  private func mixedService(_ key: Int, _ random: inout SeededRandom) -> Registration<MixedService> {
    let census = census
    if Bool.random(using: &random) {
      return Registration(scope: scope(&random)) { r in
        MixedService(Probe(census), try r.resolve(SynchronousService?.self, key: key), nil)
      }.key(key)
    }
    return Registration(scope: scope(&random)) { r in
      await Task.yield()
      let next = key < 3 ? try await r.resolve(MixedService?.self, key: key + 1) : nil
      return MixedService(Probe(census), try await r.resolve(SynchronousService?.self, key: key), next)
    }.key(key)
  }

  private func scope(_ random: inout SeededRandom) -> Scope {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: .transient
    case 1: .graph
    case 2: .shared
    case 3: .automatic
    default: .singleton
    }
  }

  // MARK: Expectations

  private func check(_ probe: Probe?) {
    if let probe, !probe.isAlive { complain("the resolve returned a freed instance") }
  }

  private func expect(_ due: [ResolutionError.Code], _ body: () throws -> Void) {
    do {
      try body()
    } catch {
      record(error, unless: due)
    }
  }

  private func expect(_ due: [ResolutionError.Code], _ body: () async throws -> Void) async {
    do {
      try await body()
    } catch {
      record(error, unless: due)
    }
  }

  private func record(_ error: any Error, unless due: [ResolutionError.Code]) {
    if let error = error as? ResolutionError, due.contains(error.code) { return }
    complain("unexpected error: \(error)")
  }
}
