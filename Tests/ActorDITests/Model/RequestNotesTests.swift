import ActorDITestSupport
import Testing

@testable import ActorDI

/// The services that the factory of a kept instance was observed to request.
struct RequestNotesTests {
  private func requests<Service>(
    _ service: Service.Type, key: String? = nil, in container: Container
  ) throws -> [String]? {
    let identity = ServiceIdentity(service, key: key.flatMap { Key.of($0) })
    let binding = try #require(container.locate(identity)).binding
    return binding.requests?.map(\.description).sorted()
  }

  @Test func aBindingRecordsDirectRequests() throws {
    let container = Container {
      Registration(Probe.self, scope: .singleton) { r in
        _ = try r.resolve(Alpha.self)
        _ = try r.resolve(Alpha.self)
        _ = try r.resolve(Probe.self, key: "key")
        _ = try r.resolve(Leaf.self, arguments: 1)
        _ = try? r.resolve(Setting.self)
        return Probe()
      }
      Registration(Probe.self, scope: .singleton) { _ in Probe() }.key("key")
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
      Registration(Leaf.self) { (_, number: Int) in Leaf() }
    }
    _ = try container.resolve(Alpha.self)
    #expect(try requests(Probe.self, in: container) == nil)
    _ = try container.resolve(Probe.self)
    #expect(try requests(Probe.self, in: container) == ["Alpha", "Leaf(Int)", "Probe[\"key\"]", "Setting"])
    #expect(try requests(Alpha.self, in: container) == [])
  }

  @Test func aBindingRecordsRequestsOfRelationshipTypes() throws {
    let container = Container {
      Registration(Probe.self, scope: .singleton) { r in
        _ = try r.resolve(Alpha?.self)
        _ = try r.resolve([Leaf].self)
        _ = try r.resolve(Lazy<Stem>.self)
        _ = try r.resolve(Provider<Root>.self)
        return Probe()
      }
    }
    _ = try container.resolve(Probe.self)
    let expected = ["Alpha", "Alpha?", "Lazy<Stem>", "Provider<Root>", "[Leaf]"]
    #expect(try requests(Probe.self, in: container) == expected)
  }

  @Test func aBindingRecordsRequestsOfTransientsAndHooks() throws {
    let container = Container {
      Registration(Probe.self, scope: .singleton) { r in
        _ = try r.resolve(Root.self)
        return Probe()
      }.onCreated { _, r in _ = try r.resolve(Setting.self) }
      Registration(Root.self) { r in Root(try r.resolve(Stem.self)) }
      Registration(Stem.self, scope: .singleton) { r in Stem(try r.resolve(Leaf.self)) }
      Registration(Leaf.self) { _ in Leaf() }
      Registration(Setting.self) { _ in Setting() }
    }
    _ = try container.resolve(Stem.self)
    _ = try container.resolve(Probe.self)
    // The requests of a kept dependency are not recorded for its dependents.
    #expect(try requests(Probe.self, in: container) == ["Root", "Setting", "Stem"])
    #expect(try requests(Stem.self, in: container) == ["Leaf"])
  }

  @Test func aBindingRecordsRequestsOfGraphServices() throws {
    let container = Container {
      Registration(Probe.self, scope: .singleton) { r in
        _ = try r.resolve(Root.self)
        return Probe()
      }
      Registration(Root.self, scope: .graph) { r in Root(try r.resolve(Stem.self)) }
      Registration(Stem.self, scope: .graph) { r in Stem(try r.resolve(Leaf.self)) }
      Registration(Leaf.self, scope: .singleton) { _ in Leaf() }
      // Builds the graph services that the kept service then shares.
      Registration(Setting.self) { r in
        _ = try r.resolve(Root.self)
        _ = try r.resolve(Probe.self)
        return Setting()
      }
    }
    _ = try container.resolve(Probe.self)
    #expect(try requests(Probe.self, in: container) == ["Leaf", "Root", "Stem"])
  }

  @Test func aBindingRecordsNothingIfAGraphServiceWasBuiltBefore() throws {
    let container = Container {
      Registration(Probe.self, scope: .singleton) { r in
        _ = try r.resolve(Root.self)
        return Probe()
      }
      Registration(Root.self, scope: .graph) { r in Root(try r.resolve(Leaf.self)) }
      Registration(Leaf.self, scope: .singleton) { _ in Leaf() }
      Registration(Setting.self) { r in
        _ = try r.resolve(Root.self)
        _ = try r.resolve(Probe.self)
        return Setting()
      }
    }
    _ = try container.resolve(Leaf.self)
    _ = try container.resolve(Setting.self)
    // The root was built earlier, for the outer service, so the probe's requests are not known.
    #expect(try requests(Probe.self, in: container) == nil)
    #expect(container.resolveIfReady(Probe.self) != nil)
  }

  @Test func aBindingRecordsRequestsOfAsynchronousFactories() async throws {
    let container = Container {
      Registration(Probe.self, scope: .singleton) { r async throws in
        _ = try await r.resolve(Alpha.self)
        await Task.yield()
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { _ = try await r.resolve(Probe.self, key: "key") }
          try await group.waitForAll()
        }
        _ = try await r.resolve(Root.self)
        _ = try await r.resolve(Stem.self)
        _ = try await r.resolve([Setting].self)
        return Probe()
      }
      Registration(Probe.self, scope: .singleton) { _ in Probe() }.key("key")
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
      // Transients, one synchronous and one asynchronous, that lead to existing singletons.
      Registration(Root.self) { r in Root(try r.resolve(Leaf.self)) }
      Registration(Stem.self) { r async throws in Stem(try await r.resolve(Gamma.self)) }
      Registration(Leaf.self, scope: .singleton) { _ in Leaf() }
      Registration(Gamma.self, scope: .singleton) { _ in
        Gamma(beta: Beta(alpha: Alpha()), alpha: Alpha())
      }
    }
    for _ in 1...2 {
      _ = try await container.resolve(Alpha.self)
      _ = try await container.resolve(Leaf.self)
      _ = try await container.resolve(Gamma.self)
      _ = try await container.resolve(Probe.self, key: "key")
      _ = try await container.resolve(Probe.self)
      let expected = ["Alpha", "Gamma", "Leaf", "Probe[\"key\"]", "Root", "Stem", "[Setting]"]
      #expect(try requests(Probe.self, in: container) == expected)
      await container.reset(.singleton)
      #expect(try requests(Probe.self, in: container) == nil)
    }
  }

  @Test func aBindingRecordsRequestsOfALazyUsedInTheFactory() async throws {
    let container = Container {
      Registration(Probe.self, scope: .singleton) { r in
        let lazy = try r.resolve(Lazy<Alpha>.self)
        _ = try lazy()
        return Probe()
      }
      Registration(Leaf.self, scope: .singleton) { r async throws in
        let lazy = try await r.resolve(Lazy<Alpha>.self)
        _ = try await lazy()
        return Leaf()
      }
      Registration(Alpha.self) { r in
        _ = try r.resolve(Root.self)
        return Alpha()
      }
      Registration(Root.self) { _ in Root() }
    }
    _ = try await container.resolve(Probe.self)
    _ = try await container.resolve(Leaf.self)
    #expect(try requests(Probe.self, in: container) == ["Alpha", "Lazy<Alpha>", "Root"])
    #expect(try requests(Leaf.self, in: container) == ["Alpha", "Lazy<Alpha>", "Root"])
  }

  @Test func aBindingRecordsRequestsOfAnInstanceCompletedLater() async throws {
    let container = Container {
      Registration((any Noted).self, scope: .singleton) { r in
        _ = try r.resolve(Alpha.self)
        return PostInitialized()
      }.onCreated { _, r in _ = try r.resolve(Root.self) }
      Registration(Alpha.self) { _ in Alpha() }
      Registration(Root.self) { _ in Root() }
    }
    // The synchronous caller runs the factory and fails; the asynchronous caller completes the build.
    try #expect(resolutionError { try container.resolve((any Noted).self) }.code == .asyncRequired)
    _ = try await container.resolve((any Noted).self)
    #expect(try requests((any Noted).self, in: container) == ["Alpha", "Root"])
  }

  @Test func aFailedBuildRecordsNothing() throws {
    let isFailing = Shelf(true)
    let container = Container {
      Registration(Probe.self, scope: .singleton) { r in
        if isFailing.value {
          _ = try r.resolve(Alpha.self)
          throw Boom()
        }
        _ = try r.resolve(Root.self)
        return Probe()
      }
      Registration(Alpha.self) { _ in Alpha() }
      Registration(Root.self) { _ in Root() }
    }
    #expect(throws: Boom.self) { try container.resolve(Probe.self) }
    #expect(try requests(Probe.self, in: container) == nil)
    isFailing.value = false
    _ = try container.resolve(Probe.self)
    #expect(try requests(Probe.self, in: container) == ["Root"])
  }

  @Test func aBindingForgetsRequestsWithItsSharedInstance() throws {
    let container = Container {
      Registration(Probe.self, scope: .shared) { r in
        _ = try r.resolve(Alpha.self)
        return Probe()
      }
      Registration(Alpha.self) { _ in Alpha() }
    }
    var probe: Probe? = try container.resolve(Probe.self)
    #expect(try requests(Probe.self, in: container) == ["Alpha"])
    withExtendedLifetime(probe) {}
    probe = nil
    #expect(try requests(Probe.self, in: container) == nil)
  }
}
