import ActorDI
import Testing

private protocol Shown: Sendable { var probe: Probe { get } }
private struct Bare: Shown { let probe: Probe }
private final class Wrapper: Shown {
  let inner: any Shown
  init(_ inner: any Shown) { self.inner = inner }
  var probe: Probe { inner.probe }
}

private final class Second: Shown {
  let probe: Probe
  init(_ probe: Probe) { self.probe = probe }
}
/// A composite of all other registrations.
private final class Composite: Shown {
  let others: [any Shown]
  init(_ others: [any Shown]) { self.others = others }
  var probe: Probe { others[0].probe }
}

private final class Switch: Sendable {
  private let state = Lock(false)
  func toggle() { state.withLock { $0.toggle() } }
  var isOn: Bool { state.withLock { $0 } }
}

/// Changes that remove and restore bindings under readers.
@Suite(.inTurn) struct RegistryStressTests {
  @Test("Readers find live instances during push, decorate, replace and pop; pop restores the instances")
  func savingAndDecorating() async throws {
    let run = StressRun("push, decorate, replace, pop", size: 600)
    let census = Census()
    try await withWatchdog("push, decorate, replace, pop") {
      let container = Container {
        Registration((any Shown).self, scope: .singleton) { _ in Bare(probe: Probe(census)) }
        Registration((any Shown).self, scope: .singleton) { _ in
          await Task.yield()
          return Bare(probe: Probe(census))
        }.key("suspending")
        Registration(Probe.self, scope: .singleton) { _ in Probe(census) }
          .implements((any AnyObject & Sendable).self) { $0 }
      }
      let (shown, probe) = (
        try await container.resolve((any Shown).self).probe, try await container.resolve(Probe.self)
      )
      let provider = container.provider(for: Probe.self)
      var readers = Readers()
      readers.threads(2) {
        {
          expectAlive { try container.resolve((any Shown).self).probe }
          expectAlive { try provider() }
          // The alias is removed and restored with its target.
          if let shown = try? container.resolve((any AnyObject & Sendable)?.self) as? Probe,
            !shown.isAlive
          {
            complain("the resolve returned a freed instance")
          }
        }
      }
      readers.tasks(2) {
        {
          do {
            for shown in try await container.resolve([any Shown].self) where !shown.probe.isAlive {
              complain("the resolve returned a freed instance")
            }
          } catch {
            complain("unexpected error: \(error)")
          }
        }
      }
      try await readers.run { pace in
        for round in 0..<run.size {
          await container.push()
          try await container.decorate((any Shown).self) { _, inner in Wrapper(inner) }
          if !(try await container.resolve((any Shown).self) is Wrapper) {
            complain("the resolved instance is not decorated")
          }
          try await container.register(Probe.self, scope: .singleton) { _ in Probe(census) }
          if try await container.resolve(Probe.self) === probe { complain("the resolved instance is not replaced") }
          if round % 8 == 0 { await pace() }
          await container.pop()
          if try await container.resolve((any Shown).self).probe !== shown {
            complain("pop did not restore the instance")
          }
          if try await container.resolve(Probe.self) !== probe { complain("pop did not restore the instance") }
          if try await provider() !== probe { complain("the provider returned another instance") }
        }
      }
    }
    try await expectAllReleased(census)
  }

  @Test("A child's readers find the current service of the parent, and always wrapped")
  func decoratingAParentsService() async throws {
    let run = StressRun("decorating a parent's service", size: 400)
    let census = Census()
    try await withWatchdog("decorating a parent's service") {
      let parent = Container {
        Registration((any Shown).self, scope: .singleton) { _ in Bare(probe: Probe(census, generation: 0)) }
      }
      let child = parent.makeChild()
      try await child.decorate((any Shown).self) { _, inner in Wrapper(inner) }
      let newest = Lock(0)
      let check = { @Sendable (shown: any Shown, least: Int) in
        if !(shown is Wrapper) { complain("the child resolved an unwrapped instance") }
        if shown.probe.generation < least { complain("the child resolved an old instance") }
        if !shown.probe.isAlive { complain("the resolve returned a freed instance") }
      }
      var readers = Readers()
      readers.threads(2) {
        let grandchild = child.makeChild()
        return {
          let least = newest.withLock { $0 }
          do { check(try grandchild.resolve((any Shown).self), least) } catch { complain("unexpected error: \(error)") }
        }
      }
      readers.tasks(2) {
        {
          let least = newest.withLock { $0 }
          do { check(try await child.resolve((any Shown).self), least) } catch {
            complain("unexpected error: \(error)")
          }
        }
      }
      try await readers.run { pace in
        for round in 1...run.size {
          try await parent.register((any Shown).self, scope: .singleton) { _ in
            Bare(probe: Probe(census, generation: round))
          }
          newest.withLock { $0 = round }
          let probe = try await child.resolve((any Shown).self).probe
          if round % 8 == 0 { await pace() }
          if try await parent.resolve((any Shown).self).probe !== probe {
            complain("the parent resolved another instance")
          }
          await parent.reset((any Shown).self)
          if try await child.resolve((any Shown).self).probe === probe {
            complain("the child resolved the instance from before the reset")
          }
        }
      }
    }
    try await expectAllReleased(census)
  }

  @Test("A rebuild keeps the instances of unchanged registrations")
  func rebuilding() async throws {
    let run = StressRun("rebuilding", size: 600)
    let census = Census()
    try await withWatchdog("rebuilding") {
      let isOn = Switch()
      let kept = Sightings()
      let container = Container {
        if isOn.isOn {
          Registration(Probe.self, scope: .singleton) { _ in Probe(census) }.key("sometimes")
        }
        Registration(Probe.self, scope: .singleton) { _ in Probe(census) }
        Registration(Probe.self, scope: .singleton) { _ in
          await Task.yield()
          return Probe(census)
        }.key("suspending")
      }
      var readers = Readers()
      readers.threads(2) {
        {
          expectAlive {
            let probe = try container.resolve(Probe.self)
            kept.add(probe)
            return probe
          }
          if let probe = try? container.resolve(Probe?.self, key: "sometimes"), !probe.isAlive {
            complain("the resolve returned a freed instance")
          }
        }
      }
      readers.tasks(2) {
        {
          do {
            kept.add(try await container.resolve(Probe.self, key: "suspending"))
            let count = try await container.resolve([Probe].self).count
            if count != 2 && count != 3 { complain("the array has \(count) elements") }
          } catch {
            complain("unexpected error: \(error)")
          }
        }
      }
      try await readers.run { pace in
        for round in 0..<run.size {
          isOn.toggle()
          try await container.rebuild()
          if round % 8 == 0 { await pace() }
        }
      }
      if kept.count != 2 { complain("two singletons have \(kept.count) instances") }
    }
    try await expectAllReleased(census)
  }

  @Test("A reader finds the last alias; a composite contains all other aliases")
  func aliases() async throws {
    let run = StressRun("aliases", size: 600)
    let census = Census()
    try await withWatchdog("aliases") {
      let container = Container {
        Registration(Bare.self, scope: .singleton) { _ in Bare(probe: Probe(census)) }
          .implements((any Shown).self) { $0 }
        Registration(Composite.self) { r in Composite(try r.resolve([any Shown].self)) }
          .implements((any Shown).self, key: "all") { $0 }
      }
      let provider = container.provider(for: (any Shown).self)
      var readers = Readers()
      readers.threads(2) {
        {
          expectAlive { try container.resolve((any Shown).self).probe }
          expectAlive { try provider().probe }
        }
      }
      readers.tasks(2) {
        {
          do {
            let all = try await container.resolve([any Shown].self)
            // The composite, and either the fake or one or two aliases.
            if all.count != 2 && all.count != 3 { complain("the array has \(all.count) elements") }
            for shown in all where !shown.probe.isAlive { complain("the resolve returned a freed instance") }
            let composite = try await container.resolve(Composite.self)
            if composite.others.contains(where: { $0 is Composite }) { complain("the composite contains itself") }
          } catch {
            complain("unexpected error: \(error)")
          }
        }
      }
      try await readers.run { pace in
        for round in 0..<run.size {
          try await container.register(
            Registration(Second.self, scope: .singleton) { _ in Second(Probe(census)) }
              .implements((any Shown).self) { $0 })
          if !(try await container.resolve((any Shown).self) is Second) {
            complain("the resolve did not return the last alias")
          }
          if round % 3 == 0 {
            await container.push()
            await container.unregister(Second.self)
            if !(try await provider() is Bare) { complain("the provider returned another instance") }
            await container.pop()
          }
          let fake = Wrapper(Bare(probe: Probe(census)))
          try await container.register(Registration((any Shown).self, instance: fake))
          let all = try await container.resolve([any Shown].self)
          if all.count != 2 || !all.contains(where: { $0 is Wrapper }) {
            complain("the array does not hold the fake and the composite")
          }
          await container.unregister((any Shown).self)
          if !(try await provider() is Second) { complain("the second alias is not restored") }
          if round % 8 == 0 { await pace() }
          await container.unregister(Second.self)
          if !(try await container.resolve((any Shown).self) is Bare) { complain("the first alias is not restored") }
        }
      }
    }
    try await expectAllReleased(census)
  }

  @Test("A resolve chooses the longest satisfiable alternative while alternatives change")
  func alternatives() async throws {
    let run = StressRun("alternatives", size: 600)
    let census = Census()
    try await withWatchdog("alternatives") {
      let container = Container {
        Registration(Int.self) { _ in 1 }
        Registration(autowired: Probe.self, scope: .singleton) { () in Probe(census) }
        Registration(autowired: Probe.self, scope: .singleton) { (_: Int) in
          Probe(census, generation: 1)
        }.alternative()
      }
      var readers = Readers()
      readers.threads(2) { { expectAlive { try container.resolve(Probe.self) } } }
      readers.tasks(2) {
        {
          do {
            let probe = try await container.resolve(Probe.self)
            if !probe.isAlive { complain("the resolve returned a freed instance") }
          } catch {
            complain("unexpected error: \(error)")
          }
        }
      }
      try await readers.run { pace in
        for round in 0..<run.size {
          try await container.register(String.self) { _ in "" }
          try await container.register(
            Registration(autowired: Probe.self, scope: .singleton) { (_: Int, _: String) in
              Probe(census, generation: 2)
            }.alternative())
          if try await container.resolve(Probe.self).generation != 2 {
            complain("the resolve did not choose the longest alternative")
          }
          await container.unregister(String.self)
          if try await container.resolve(Probe.self).generation != 1 {
            complain("the resolve did not choose the satisfiable alternative")
          }
          if round % 8 == 0 { await pace() }
        }
      }
    }
    try await expectAllReleased(census)
  }
}

private func expectAlive(_ resolve: () throws -> Probe) {
  do {
    if !(try resolve().isAlive) { complain("the resolve returned a freed instance") }
  } catch {
    complain("unexpected error: \(error)")
  }
}
