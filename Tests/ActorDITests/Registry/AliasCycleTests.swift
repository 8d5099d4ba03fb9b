import ActorDITestSupport
import Testing

@testable import ActorDI

private protocol Parental: AnyObject, Sendable {}
private protocol Ancestral: AnyObject, Sendable {}
private protocol Childish: AnyObject, Sendable {}

private typealias Being = any AnyObject & Sendable

private final class Mother: Parental, Ancestral {
  let child: Mother?
  init(_ child: Mother? = nil) { self.child = child }
}

private final class Kid: Childish {
  let parent: any Parental
  init(parent: any Parental) { self.parent = parent }
}

/// A service that depends on a service that needs it.
private final class Needy: Parental {
  let child: any Childish
  init(child: any Childish) { self.child = child }
}

private final class Outer: Parental {
  let inner: any Parental
  init(_ inner: any Parental) { self.inner = inner }
}

/// A lookup of the service by its own type, by an alias or by a relationship.
private enum Lookup: CaseIterable, Sendable {
  case target, alias, otherAlias, aliasOfAlias, keyed, optional, array, lazy, provider

  /// The types and keys before the service in an error's path.
  var aliases: [String] {
    switch self {
    case .target: []
    case .alias, .lazy, .provider: ["any Parental"]
    case .otherAlias, .optional, .array: ["any Ancestral"]
    case .aliasOfAlias: [#"any Parental["again"]"#, "any Parental"]
    case .keyed: [#"any Parental["k"]"#]
    }
  }

  /// Performs the lookup synchronously.
  func resolve(from container: some Resolving) throws -> Being {
    switch self {
    case .target: try container.resolve(Mother.self)
    case .alias: try container.resolve((any Parental).self)
    case .otherAlias: try container.resolve((any Ancestral).self)
    case .aliasOfAlias: try container.resolve((any Parental).self, key: "again")
    case .keyed: try container.resolve((any Parental).self, key: "k")
    case .optional: try #require(try container.resolve((any Ancestral)?.self))
    case .array: try #require(try container.resolve([any Ancestral].self).first)
    case .lazy: try container.resolve(Lazy<any Parental>.self).synchronously()
    case .provider: try container.resolve(Provider<any Parental>.self).synchronously()
    }
  }

  func resolve(from container: some Resolving) async throws -> Being {
    switch self {
    case .target: return try await container.resolve(Mother.self)
    case .alias: return try await container.resolve((any Parental).self)
    case .otherAlias: return try await container.resolve((any Ancestral).self)
    case .aliasOfAlias: return try await container.resolve((any Parental).self, key: "again")
    case .keyed: return try await container.resolve((any Parental).self, key: "k")
    case .optional: return try #require(try await container.resolve((any Ancestral)?.self))
    case .array: return try #require(try await container.resolve([any Ancestral].self).first)
    case .lazy:
      let lazy = try await container.resolve(Lazy<any Parental>.self)
      return try await lazy()
    case .provider:
      let provider = try await container.resolve(Provider<any Parental>.self)
      return try await provider()
    }
  }
}

/// An alias has no build and no instance of its own. A caller that uses one during a build gets the same result as by the target.
@Suite("Cycles through aliases", .timeLimit(.minutes(5)))
struct AliasCycleTests {
  private enum Form: CaseIterable, Sendable { case synchronous, asynchronousHook, asynchronousFactory }

  /// A service whose hook resolves it again.
  private func registrations(
    _ scope: Scope, _ form: Form, _ seen: Shelf<Being?>, using lookup: Lookup
  ) -> Registrations {
    func mother() -> Registration<Mother> {
      switch form {
      case .synchronous:
        return Registration(Mother.self, scope: scope) { _ in Mother() }
          .onCreated { _, r in seen.value = try lookup.resolve(from: r) }
      case .asynchronousHook:
        return Registration(Mother.self, scope: scope) { _ in Mother() }
          .onCreated { (_: Mother, r: Resolver) async throws in seen.value = try await lookup.resolve(from: r) }
      case .asynchronousFactory:
        return Registration(Mother.self, scope: scope) { _ in
          await Task.yield()
          return Mother()
        }
        .onCreated { (_: Mother, r: Resolver) async throws in seen.value = try await lookup.resolve(from: r) }
      }
    }
    return Registrations {
      mother()
        .implements((any Parental).self) { $0 }
        .implements((any Ancestral).self) { $0 }
        .implements((any Parental).self, key: "k") { $0 }
      Registration((any Parental).self) { r in try r.resolve() }.key("again")
    }
  }

  static let keptScopes: [Scope] = [
    .singleton, .shared, .scoped, .scoped("here"), .graph, .automatic, .pooled(max: 2),
    .managed(by: ManagedScope("alias")),
  ]

  /// A collection that a hook asks for does not contain the service under construction, so `array` is left out.
  fileprivate static let hooks = Lookup.allCases.filter { $0 != .array }

  /// Whether resolving never ends. A provider's call has its own graph, so it builds another `.graph` service.
  private func isEndless(_ scope: Scope, _ hook: Lookup) -> Bool { scope == .graph && hook == .provider }

  @Test(arguments: keptScopes, hooks)
  fileprivate func aHookResolvesTheInstanceUnderConstruction(scope: Scope, hook: Lookup) async throws {
    guard !isEndless(scope, hook) else { return }
    for form in Form.allCases {
      // In this form, the aliased service is asynchronous, and the synchronous factory cannot resolve it.
      if form != .synchronous && hook == .aliasOfAlias { continue }
      // This one is not an alias, but a transient that resolves the alias. Meeting it again is a cycle.
      for lookup in Lookup.allCases where lookup != .aliasOfAlias || (form == .synchronous && hook != .aliasOfAlias) {
        // A pool builds an instance for a child with the owner's registrations; a hook there checks out another instance.
        for isFromChild in scope == .pooled(max: 2) ? [false] : [false, true] {
          let seen = Shelf<Being?>(nil)
          let owner = Container(name: "here") { registrations(scope, form, seen, using: hook) }
          let caller = isFromChild ? owner.makeChild() : owner
          let got = try await lookup.resolve(from: caller)
          #expect(seen.value === got, "\(lookup), \(form), of a child: \(isFromChild)")
          withExtendedLifetime(owner) {}
        }
        guard form == .synchronous else { continue }
        let seen = Shelf<Being?>(nil)
        let container = Container(name: "here") { registrations(scope, form, seen, using: hook) }
        let got = try sync { try lookup.resolve(from: container) }
        #expect(seen.value === got, "\(lookup), synchronously")
      }
    }
  }

  @Test(arguments: hooks)
  fileprivate func aTransientsHookThatResolvesItsServiceIsACycle(hook: Lookup) async throws {
    for form in Form.allCases {
      for lookup in [Lookup.target, .alias, .otherAlias, .keyed, .optional, .array, .lazy, .provider] {
        let seen = Shelf<Being?>(nil)
        let container = Container(name: "here") { registrations(.transient, form, seen, using: hook) }
        let error = try await asyncResolutionError { try await lookup.resolve(from: container) }
        if form != .synchronous && hook == .aliasOfAlias {
          #expect(error.code == .asyncRequired)
          continue
        }
        let path = path(entering: lookup, using: hook)
        #expect(error.code == .cycle && error.path == path, "\(lookup) \(form) \(error.path)")
        guard form == .synchronous else { continue }
        let other = try sync { try resolutionError { try lookup.resolve(from: container) } }
        #expect(other.code == .cycle && other.path == path, "\(lookup) \(other.path)")
      }
    }
  }

  @Test func aHookThatUsesAProviderOfItsGraphServiceIsACycle() async throws {
    let container = Container { registrations(.graph, .synchronous, Shelf(nil), using: .provider) }
    for lookup in [Lookup.target, .alias] {
      let error = try sync { try resolutionError { try lookup.resolve(from: container) } }
      #expect(error.code == .cycle && error.path == path(entering: lookup, using: .provider))
      let other = try await asyncResolutionError { try await lookup.resolve(from: container) }
      #expect(other.code == .cycle && other.path == path(entering: lookup, using: .provider))
    }
  }

  /// The error's path from the first type to the repeated one. Each service appears once for each type by which it was requested.
  private func path(entering lookup: Lookup, using hook: Lookup) -> [String] {
    let path = lookup.aliases + ["Mother"] + hook.aliases
    return hook.aliases.last.map(lookup.aliases.contains) == true ? path : path + ["Mother"]
  }

  // MARK: Initialisers

  @Test(arguments: keptScopes.filter { $0 != .pooled(max: 2) } + [.transient])
  func initialisersThatNeedEachOtherAreACycle(scope: Scope) async throws {
    let container = Container(name: "here") {
      Registration(autowired: Needy.self, scope: scope, initializer: Needy.init)
        .implements((any Parental).self) { $0 }
      Registration(autowired: Kid.self, scope: scope, initializer: Kid.init)
        .implements((any Childish).self) { $0 }
    }
    for caller in [container, container.makeChild()] {
      let own = try sync { try resolutionError { try caller.resolve(Needy.self) } }
      #expect((own.code, own.path) == (.cycle, ["Needy", "any Childish", "Kid", "any Parental", "Needy"]))
      for error in [
        try sync { try resolutionError { try caller.resolve((any Parental).self) } },
        try sync { try resolutionError { try caller.resolve((any Parental)?.self) } },
        try sync { try resolutionError { try caller.resolve([any Parental].self) } },
        try sync { try resolutionError { try caller.resolve(Lazy<any Parental>.self).synchronously() } },
        try await asyncResolutionError { try await caller.resolve((any Parental).self) },
        try await asyncResolutionError { try await caller.resolve([any Parental].self) },
      ] {
        #expect((error.code, error.path) == (.cycle, ["any Parental", "Needy", "any Childish", "Kid", "any Parental"]))
      }
    }
    let error = try sync { try resolutionError { try container.resolve((any Childish).self) } }
    #expect(error.path == ["any Childish", "Kid", "any Parental", "Needy", "any Childish"])
  }

  @Test(arguments: [Scope.transient, .singleton, .graph, .shared])
  func asynchronousFactoriesThatNeedEachOtherAreACycle(scope: Scope) async throws {
    let container = Container {
      Registration(Needy.self, scope: scope) { r in Needy(child: try await r.resolve()) }
        .implements((any Parental).self) { $0 }
      Registration(Kid.self, scope: scope) { r in Kid(parent: try await r.resolve()) }
        .implements((any Childish).self) { $0 }
    }
    let error = try await asyncResolutionError { try await container.resolve((any Parental).self) }
    #expect(error.code == .cycle && error.path == ["any Parental", "Needy", "any Childish", "Kid", "any Parental"])
    let other = try await asyncResolutionError { try await container.resolve((any Childish)?.self) }
    #expect(other.code == .cycle && other.path == ["any Childish", "Kid", "any Parental", "Needy", "any Childish"])
  }

  @Test func anEndlessRecursionWithArgumentsIsACycle() async throws {
    let container = Container {
      Registration(Mother.self) { (r, number: Int) in
        _ = try r.resolve((any Parental).self, arguments: number + 1)
        return Mother()
      }
      .implements((any Parental).self) { $0 }
    }
    let error = try await onThread { try resolutionError { try container.resolve((any Parental).self, arguments: 0) } }
    #expect(
      error.code == .cycle && error.path == ["any Parental(Int)", "Mother(Int)", "any Parental(Int)", "Mother(Int)"])
  }

  // MARK: Decorators

  @Test func resolvingAWrapperUnderConstructionIsACycle() async throws {
    let seen = Shelf<Being?>(nil)
    func container() async throws -> Container {
      let container = Container { registrations(.singleton, .synchronous, seen, using: .alias) }
      try await container.decorate((any Parental).self) { _, inner in Outer(inner) }
      return container
    }
    // The wrapper needs the instance under construction, so it does not exist yet.
    let first = try await container()
    for error in [
      try sync { try resolutionError { try first.resolve((any Parental).self) } },
      try await asyncResolutionError { try await first.resolve((any Parental).self) },
    ] {
      #expect(error.code == .cycle && error.path == ["any Parental", "Mother", "any Parental"])
    }
    // Through the target, the hook builds the wrapper around the instance under construction.
    for isSynchronous in [true, false] {
      let second = try await container()
      let mother =
        isSynchronous ? try sync { try second.resolve(Mother.self) } : try await second.resolve(Mother.self)
      #expect((seen.value as? Outer)?.inner === mother)
      #expect(try await second.resolve((any Parental).self) === seen.value)
    }
  }

  /// An alias of a decorated service shows the instance that the decorator gets.
  @Test func anAliasResolvesItsTargetWithoutTheTargetsWrapper() async throws {
    for lookup in [Lookup.target, .alias, .otherAlias] {
      let seen = Shelf<Being?>(nil)
      let container = Container { registrations(.singleton, .synchronous, seen, using: .alias) }
      try await container.decorate(Mother.self) { _, inner in Mother(inner) }
      let got = try await lookup.resolve(from: container)
      #expect(lookup == .target ? (got as? Mother)?.child === seen.value : got === seen.value)
    }
  }

  // MARK: Overrides

  @Test(arguments: [Scope.singleton, .graph, .shared, .scoped])
  func aHookOfAnOverrideResolvesTheOverridesInstance(scope: Scope) async throws {
    let (real, fake) = (Shelf<Being?>(nil), Shelf<Being?>(nil))
    let container = Container(name: "here") { registrations(scope, .synchronous, real, using: .alias) }
    for caller in [container, container.makeChild()] {
      for lookup in [Lookup.alias, .target, .optional, .array, .lazy] {
        try await container.withOverrides {
          registrations(scope, .synchronous, fake, using: .alias)
        } operation: {
          let got = try await lookup.resolve(from: caller)
          #expect(fake.value === got)
          let again = try sync { try lookup.resolve(from: caller) }
          #expect(fake.value === again)
        }
        let got = try await lookup.resolve(from: caller)
        #expect(real.value === got && fake.value !== got)
      }
    }
  }

  // MARK: Concurrency

  @Test func concurrentCallersGetOneInstance() async throws {
    for _ in 0..<20 {
      let seen = Shelf<Being?>(nil)
      let container = Container { registrations(.singleton, .synchronous, seen, using: .alias) }
      let all = try await withThrowingTaskGroup(of: ObjectIdentifier.self) { group in
        for (index, lookup) in (Lookup.allCases + Lookup.allCases).enumerated() {
          group.addTask {
            let got =
              index.isMultiple(of: 2)
              ? try await lookup.resolve(from: container) : try await onThread { try lookup.resolve(from: container) }
            return ObjectIdentifier(got)
          }
        }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(all.count == 1 && all.first == seen.value.map(ObjectIdentifier.init))
    }
  }
}
