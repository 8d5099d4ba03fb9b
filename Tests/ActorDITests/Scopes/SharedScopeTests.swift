import ActorDITestSupport
import Synchronization
import Testing

@testable import ActorDI

private final class Owner: @unchecked Sendable {
  // `@unchecked Sendable` because only hooks write.
  let part: Part
  let lifetime: ObjectLifetime.Token?
  init(_ part: Part, _ lifetime: ObjectLifetime.Token? = nil) {
    self.part = part
    self.lifetime = lifetime
  }
}
private final class Part: @unchecked Sendable {
  weak var owner: Owner?
  weak var probe: Probe?
}

@Suite("Shared scope", .timeLimit(.minutes(5)))
struct SharedScopeTests {
  @Test(arguments: [Scope.shared, .automatic])
  func sharedReleasesAnInstanceWithItsLastReference(scope: Scope) throws {
    let (first, second) = (ObjectLifetime(), ObjectLifetime())
    let lifetimes = Shelf([first, second])
    let container = Container {
      Registration(ObjectLifetime.Token.self, scope: scope) { _ in lifetimes.value.removeFirst().token() }
    }
    do {
      let token = try container.resolve(ObjectLifetime.Token.self)
      #expect(try container.resolve(ObjectLifetime.Token.self) === token)
      #expect(first.hasEnded == false)
    }
    #expect(first.hasEnded)
    #expect(container.resolveIfReady(ObjectLifetime.Token.self) == nil)
    let token = try container.resolve(ObjectLifetime.Token.self)
    #expect(second.hasEnded == false)
    #expect(container.resolveIfReady(ObjectLifetime.Token.self) === token)
  }

  private final class Refusal: Error, Sendable {}

  /// An `any Error` is a box around its object, so the container cannot hold the object weakly.
  @Test func sharedResolvesAnErrorExistential() throws {
    let refusal = Refusal()
    let container = Container {
      Registration((any Error).self, scope: .shared) { _ in refusal }
    }
    for _ in 0..<3 {
      #expect(try container.resolve((any Error).self) as? Refusal === refusal)
    }
  }

  @Test func sharedReleasesAnInstanceOfAnAsynchronousFactory() async throws {
    let lifetime = ObjectLifetime()
    let container = Container {
      Registration(ObjectLifetime.Token.self, scope: .shared) { _ in
        await Task.yield()
        return lifetime.token()
      }
    }
    do {
      let token = try await container.resolve(ObjectLifetime.Token.self)
      #expect(container.resolveIfReady(ObjectLifetime.Token.self) === token)
    }
    try await lifetime.ended.passed()
    #expect(container.resolveIfReady(ObjectLifetime.Token.self) == nil)
  }

  @Test func aWeaklyReferencedInstanceLivesUntilTheResolveReturns() throws {
    let container = Container {
      Registration(Probe.self, scope: .shared) { _ in Probe("held for the call") }
      Registration(Part.self, scope: .shared) { _ in Part() }
        .onCreated { part, r in part.probe = try r.resolve() }
      Registration(Owner.self, scope: .shared) { r in
        let part = try r.resolve(Part.self)
        #expect(part.probe?.name == "held for the call")
        #expect(part.probe === (try r.resolve(Probe.self)))
        return Owner(part)
      }
    }
    let owner = try container.resolve(Owner.self)
    // The call has ended, and no strong reference is left.
    #expect(owner.part.probe == nil)
  }

  @Test func aWeaklyReferencedInstanceLivesUntilTheAsynchronousResolveReturns() async throws {
    let container = Container {
      Registration(Probe.self, scope: .shared) { _ in
        await Task.yield()
        return Probe("held for the call")
      }
      Registration(Part.self, scope: .shared) { _ in Part() }
        .onCreated { (part: Part, r: Resolver) async throws in
          let probe = try await r.resolve(Probe.self)
          part.probe = probe
        }
      Registration(Owner.self, scope: .shared) { r in
        let part = try await r.resolve(Part.self)
        await Task.yield()
        #expect(part.probe?.name == "held for the call")
        return Owner(part)
      }
    }
    _ = try await container.resolve(Owner.self)
  }

  @Test func aWeakBackReferenceIsSetWhenTheResolveReturns() throws {
    let container = Container {
      Registration(Owner.self, scope: .shared) { r in Owner(try r.resolve()) }
        .onCreated { owner, _ in owner.part.owner = owner }
      Registration(Part.self, scope: .shared) { _ in Part() }
    }
    let owner = try container.resolve(Owner.self)
    #expect(owner.part.owner === owner)
  }

  @Test func aBackReferenceSetByThePartsHookStaysSet() async throws {
    // The test resolves the part. Its hook finds the owner, which nothing else holds.
    let container = Container {
      Registration(Part.self, scope: .shared) { _ in Part() }
        .onCreated { part, r in part.owner = try r.resolve() }
      Registration(Owner.self, scope: .singleton) { r in Owner(try r.resolve()) }
    }
    let part = try sync { try container.resolve(Part.self) }
    #expect(part.owner?.part === part)
  }

  @Test func sharedBuildsAgainAfterAReset() async throws {
    let container = Container { Registration(Probe.self, scope: .shared) { _ in Probe() } }
    let probe = try await container.resolve(Probe.self)
    await container.reset(.shared)
    #expect(container.resolveIfReady(Probe.self) == nil)
    let other = try await container.resolve(Probe.self)
    #expect(other !== probe)
    #expect(try await container.resolve(Probe.self) === other)
  }

  @Test func sharedResolvesHeldExistentialsAndAliases() throws {
    let container = Container {
      Registration((any Greeter).self, scope: .shared) { _ in Polite() }
      Registration(Casual.self, scope: .shared) { _ in Casual() }
        .implements((any Greeter).self, key: "casual") { $0 }
    }
    let polite = try container.resolve((any Greeter).self)
    #expect(try container.resolve((any Greeter).self) as? Polite === polite as? Polite)
    let casual = try container.resolve(Casual.self)
    let greeter = try container.resolve((any Greeter).self, key: "casual")
    #expect(greeter as? Casual === casual)
  }

  @Test func sharedBuildsValuesAnew() throws {
    let builds = Counter()
    let container = Container {
      Registration(Setting.self, scope: .shared) { _ in Setting(number: builds.increment()) }
      Registration([Probe].self, scope: .shared) { _ in
        builds.increment()
        return [Probe()]
      }
    }
    #expect(try container.resolve(Setting.self).number == 1)
    #expect(try container.resolve(Setting.self).number == 2)
    #expect(try container.resolve([Probe].self)[0] !== container.resolve([Probe].self)[0])
    #expect(container.resolveIfReady(Setting.self) == nil)
  }

  // MARK: Uncontended builds

  private func binding<Service>(of service: Service.Type, in container: Container) throws -> Binding {
    try #require(container.ownBindings(of: service).first)
  }

  @Test func instancesBuiltAfterAnotherNeedNoCell() async throws {
    let builds = Counter()
    let container = Container {
      Registration((any Greeter).self, scope: .shared) { _ in
        builds.increment()
        return Polite()
      }
    }
    for _ in 0..<3 {
      let greeter = try sync { try container.resolve((any Greeter).self) }
      #expect(try await container.resolve((any Greeter).self) as? Polite === greeter as? Polite)
    }
    let last = try await container.resolve((any Greeter).self)
    #expect(container.resolveIfReady((any Greeter).self) as? Polite === last as? Polite)
    #expect(builds.count == 4)
    #expect(try binding(of: (any Greeter).self, in: container).existingCell == nil)
  }

  @Test func aCellTakesOverAnInstanceThatIsGone() async throws {
    let builds = Counter()
    let container = Container {
      Registration(Probe.self, scope: .shared) { _ in Probe("\(builds.increment())") }
    }
    let binding = try binding(of: Probe.self, in: container)
    #expect(try sync { try container.resolve(Probe.self) }.name == "1")
    #expect(binding.ownCell.existing() == nil)
    let probe = try sync { try container.resolve(Probe.self) }
    #expect(probe.name == "2")
    #expect(binding.ownCell.existing()?.value(as: Probe.self) === probe)
    #expect(try await container.resolve(Probe.self) === probe)
  }

  @Test func instancesTakenInACallLiveUntilItsEnd() throws {
    struct Pair: Sendable { let names: [String] }
    let builds = Counter()
    let held = Shelf<Part?>(nil)
    let container = Container {
      Registration(Probe.self, scope: .shared) { _ in Probe("\(builds.increment())") }
      Registration(Part.self, scope: .shared) { _ in Part() }
      Registration(Pair.self) { r in
        let names = [try r.resolve(Probe.self).name, try r.resolve(Probe.self).name]
        // Found at the first request, and held by nothing but the call at the second.
        let part = ObjectIdentifier(try r.resolve(Part.self))
        held.value = nil
        #expect(try ObjectIdentifier(r.resolve(Part.self)) == part)
        return Pair(names: names)
      }
    }
    held.value = try container.resolve(Part.self)
    #expect(try container.resolve(Pair.self).names == ["1", "1"])
    #expect(container.resolveIfReady(Part.self) == nil)
    #expect(try container.resolve(Pair.self).names == ["2", "2"])
  }

  @Test func theRequestsOfABuildAreKnownWhileItsInstanceLives() throws {
    let container = Container {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
      Registration(Probe.self, scope: .shared) { r in
        _ = try r.resolve(Alpha.self)
        return Probe()
      }
    }
    let (alpha, binding) = (try binding(of: Alpha.self, in: container), try binding(of: Probe.self, in: container))
    do {
      let probe = try container.resolve(Probe.self)
      #expect(binding.requests?.map(\.service).contains { $0 == Alpha.self } == true)
      #expect(container.hasDependents(on: alpha))
      // The cell takes the requests over.
      _ = binding.ownCell.existing()
      #expect(binding.requests?.map(\.service).contains { $0 == Alpha.self } == true)
      extendLifetime(probe)
    }
    #expect(!container.hasDependents(on: alpha))
  }

  /// The release of a user-defined key is user code, which must not run in an unrelated call.
  @Test(arguments: [nil, "key"]) func aWeakReferenceOwnsTheKeysOfItsRequests(key: String?) throws {
    let container = Container {
      Registration(Alpha.self) { _ in Alpha() }.key(key)
      Registration(Probe.self, scope: .shared) { r in
        _ = try r.resolve(Alpha.self, key: key)
        return Probe()
      }
    }
    let holder = try binding(of: Probe.self, in: container)
    let probe = try container.resolve(Probe.self)
    let reference = try #require(holder.word.weakReference)
    #expect(reference.borrow { $0.ownsKeys } == (key != nil))
    extendLifetime(probe)
  }

  @Test func eachBuildEndsTheDisposalOfTheInstanceBefore() throws {
    let ended = Counter()
    let container = Container {
      Registration(Probe.self, scope: .shared) { _ in Probe() }.onDispose { _ in ended.increment() }
    }
    for _ in 0..<20 { _ = try container.resolve(Probe.self) }
    #expect(container.lifecycle.state.withLock { $0.disposals.all.count } == 1)
    #expect(ended.count == 0)
  }

  @Test func aFailedBuildAfterAnInstanceIsRetried() throws {
    let fails = Shelf(false)
    let container = Container {
      Registration(Probe.self, scope: .shared) { _ in
        if fails.value { throw Boom(number: 3) }
        return Probe()
      }
    }
    _ = try container.resolve(Probe.self)
    fails.value = true
    for _ in 0..<2 { #expect(throws: Boom(number: 3)) { try container.resolve(Probe.self) } }
    fails.value = false
    let probe = try container.resolve(Probe.self)
    #expect(try container.resolve(Probe.self) === probe)
  }
}
