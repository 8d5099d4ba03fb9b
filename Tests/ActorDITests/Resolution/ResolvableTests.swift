import ActorDITestSupport
import Testing

@testable import ActorDI

private struct Later: Sendable {
  let lazy: Lazy<Probe>?
  let provider: Provider<Probe>?
}

/// `contains` agrees with `resolve`, for each service and for each relationship to one. A lazy or a provider is resolved in any case, so
/// its service decides.
@Suite("Resolvable services", .timeLimit(.minutes(5)))
struct ResolvableTests {
  private struct Case: Sendable {
    let name: String
    let contains: @Sendable (Container) -> Bool
    let resolve: @Sendable (Container) throws -> Void
    let resolveAsync: @Sendable (Container) async throws -> Void
    /// Whether the container has the service of a lazy or a provider; nil for any other service.
    var containsRequested: (@Sendable (Container) -> Bool)?

    init<Service: Sendable>(_ type: Service.Type) {
      name = "\(type)"
      contains = { $0.contains(type) }
      resolve = { _ = try $0.resolveAny(type) }
      resolveAsync = { _ = try await $0.resolveAny(type) }
    }

    init<Service: Sendable>(_ type: Service.Type, key: String) {
      name = "\(type) \(key)"
      contains = { $0.contains(type, key: key) }
      resolve = { _ = try $0.resolveAny(type, key: key) }
      resolveAsync = { _ = try await $0.resolveAny(type, key: key) }
    }

    func deferring<Requested>(_ requested: Requested.Type, key: String? = nil) -> Case {
      var other = self
      other.containsRequested = { container in
        key.map { container.contains(requested, key: $0) } ?? container.contains(requested)
      }
      return other
    }
  }

  private static func cases<Service: Sendable>(_ type: Service.Type) -> [Case] {
    [
      Case(type), Case(type, key: "k"), Case(Service?.self), Case(Service?.self, key: "k"), Case([Service].self),
      Case([Service].self, key: "k"), Case(Lazy<Service>.self).deferring(Service.self),
      Case(Lazy<Service>.self, key: "k").deferring(Service.self, key: "k"),
      Case(Provider<Service>.self).deferring(Service.self),
      Case(Provider<Service>.self, key: "k").deferring(Service.self, key: "k"), Case(Owned<Service>.self),
      Case(Owned<Service>.self, key: "k"), Case(Lazy<Service>?.self), Case(Provider<Service>?.self),
      Case(Owned<Service>?.self), Case([Service]?.self), Case(Service??.self), Case(Owned<[Service]>.self),
      Case(Owned<Service?>.self), Case(Owned<Lazy<Service>>.self).deferring(Service.self),
      Case(Owned<Owned<Service>>.self), Case(Owned<Owned<Service>>.self, key: "k"),
      Case(Provider<Owned<Service>>.self).deferring(Service.self), Case(Lazy<[Service]>.self),
      Case(Lazy<Service?>.self),
      Case(Lazy<Lazy<Service>>.self).deferring(Service.self), Case(ServiceKey<Service>.self),
    ]
  }

  private static let all =
    cases(Probe.self) + cases((any Greeter).self) + cases(Setting.self) + cases(Alpha.self)
    + [
      Case(Container.self), Case(Resolver.self), Case(Container.self, key: "k"), Case(Resolver.self, key: "k"),
      Case(Container?.self), Case(Lazy<Container>.self, key: "k").deferring(Container.self, key: "k"),
      Case(Lazy<Container>.self), Case(Owned<Container>.self), Case(Provider<Resolver>?.self), Case([Container].self),
    ]

  @Test func containsAgreesWithResolve() async throws {
    let registrations = Registrations {
      Registration(Probe.self) { _ in Probe() }
      Registration(Polite.self, scope: .singleton) { _ in Polite() }.implements((any Greeter).self, key: "k") { $0 }
      // Registrations of an optional whose wrapped service is not registered.
      Registration(Setting?.self) { _ in nil }
      Registration(Lazy<Alpha>?.self) { _ in nil }
    }
    let parent = Container { registrations }
    let linking = Container()
    linking.link(parent)
    let closed = Container { registrations }
    try await closed.shutdown()
    for (name, container) in [
      ("empty", Container()), ("own", parent), ("child", parent.makeChild()), ("linking", linking),
      ("child of a linking container", linking.makeChild()), ("closed", closed),
    ] {
      for service in Self.all {
        let isThere = (try? sync { try service.resolve(container) }) != nil
        let isThereAsynchronously = (try? await service.resolveAsync(container)) != nil
        let isContained = service.containsRequested?(container) ?? isThere
        #expect(service.contains(container) == isContained, "\(service.name), \(name)")
        #expect(isThere == isThereAsynchronously, "\(service.name), \(name)")
      }
      withExtendedLifetime(container) {}
    }
  }

  @Test func containsIncludesOverrides() async throws {
    let container = Container()
    #expect(!container.contains(Owned<Probe>.self))
    try await container.withOverrides {
      Registration(Probe.self) { _ in Probe() }
    } operation: {
      #expect(container.contains(Owned<Probe>.self))
      let lazy = try await container.resolve(Lazy<Probe>?.self)
      #expect(lazy != nil)
    }
    #expect(try await container.resolve(Lazy<Probe>?.self) == nil)
  }

  // MARK: Lazy and Provider of missing services

  @Test func anOptionalLazyOrProviderOfAMissingServiceIsNil() async throws {
    let container = Container { Registration(autowired: Later.self, initializer: Later.init) }
    for caller in [container, container.makeChild()] {
      #expect(try await caller.resolve(Lazy<Probe>?.self) == nil)
      #expect(try sync { try caller.resolve(Lazy<Probe>?.self) } == nil)
      #expect(try await caller.resolve(Provider<Probe>?.self, key: "k") == nil)
      #expect(try sync { try caller.resolve(Provider<Probe>?.self) } == nil)
      #expect(try await caller.resolve(Lazy<Lazy<Probe>>?.self) == nil)
      let lazyOfOptional = try #require(try await caller.resolve(Lazy<Probe?>?.self))
      #expect(try await lazyOfOptional() == nil)
      let later = try await caller.resolve(Later.self)
      #expect(later.lazy == nil && later.provider == nil)
      let other = try sync { try caller.resolve(Later.self) }
      #expect(other.lazy == nil && other.provider == nil)
    }
    try await container.validate()
    try await container.register(Probe.self) { _ in Probe("there") }
    let later = try await container.resolve(Later.self)
    #expect(try await later.lazy?().name == "there")
    #expect(try await later.provider?().name == "there")
    #expect(try await container.resolve(Lazy<Probe>?.self, key: "k") == nil)
  }

  @Test func anOptionalProviderCanTakeArgumentsLater() async throws {
    let container = Container { Registration(Probe.self) { (_, name: String) in Probe(name) } }
    #expect(try await container.resolve(Provider<Probe>?.self)?("a").name == "a")
    #expect(try await container.resolve(Lazy<Probe>?.self) == nil)
    #expect(try await container.resolve(Lazy<Probe>?.self, arguments: "b")?().name == "b")
    #expect(try await container.resolve(Lazy<Probe>?.self, arguments: 1) == nil)
    #expect(try await container.resolve(Provider<Probe>?.self, arguments: 1) == nil)
    #expect(try await container.resolve(Provider<Probe>?.self, arguments: "c")?().name == "c")
  }

  @Test func validationReportsANonOptionalLazyOfAMissingService() async {
    let container = Container {
      Registration(autowired: Leaf.self) { (_: Lazy<Probe>) in Leaf() }
      Registration(autowired: Stem.self) { (_: Lazy<Probe?>, _: Provider<Probe>?) in Stem() }
    }
    let error = await #expect(throws: ValidationError.self) { try await container.validate() }
    #expect(error?.problems.count == 1)
  }
}
