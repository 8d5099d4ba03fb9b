import ActorDI

/// P18: a transient whose factory takes a kept service, required or by a relationship type, or another transient, by an alias or with an
/// argument.
struct Relationships: Scenario {
  static let name = "relationships"
  static let summary = "transient that takes a singleton by relationship type, or a transient by alias or argument"

  static let required = "container, required"
  static let optional = "container, optional"
  static let optionalOfParent = "container, optional, child"
  static let absent = "container, optional, not registered"
  static let array = "container, array of three"
  static let arrayOfAliases = "container, array of three aliases"
  static let lazy = "container, lazy, used"
  static let provider = "container, provider, called"
  static let alias = "container, alias of a transient"
  static let aliasOfParent = "container, alias of a transient, child"
  static let argument = "container, transient with an argument"

  let lanes = Lanes.single
  let expectedAnswer = 1

  func contenders() throws -> [Contender] {
    let container = Self.registry()
    let child = Self.registry().makeChild()
    return [
      Self.contender(Self.required, Required.self, container),
      Self.contender(Self.optional, Optionally.self, container),
      Self.contender(Self.optionalOfParent, Optionally.self, child),
      Self.contender(Self.absent, WithoutUnknown.self, container),
      Self.contender(Self.array, Several.self, container),
      Self.contender(Self.arrayOfAliases, ForRoles.self, container),
      Self.contender(Self.lazy, Lazily.self, container),
      Self.contender(Self.provider, Provided.self, container),
      Self.contender(Self.alias, ByAlias.self, container),
      Self.contender(Self.aliasOfParent, ByAlias.self, child),
      Self.contender(Self.argument, ByArgument.self, container),
    ]
  }

  @inline(__always)
  private static func contender<User: RelationshipUser>(
    _ name: String, _ type: User.Type, _ container: Container
  ) -> Contender {
    Contender(
      name: name, role: .container,
      answer: { try await container.resolve(type).answer() },
      work: .threads { count in
        try repeating(count) { User.consume(try container.resolve(type)) }
      })
  }

  private static func registry() -> Container {
    Container {
      Registration((any Part).self, scope: .singleton) { _ in StandardPart() }
      Registration((any Part).self, scope: .singleton) { _ in StandardPart() }.key("second")
      Registration((any Part).self, scope: .singleton) { _ in StandardPart() }.key("third")
      Registration(Required.self) { r in Required(part: try r.resolve()) }
      Registration(Optionally.self) { r in Optionally(part: try r.resolve()) }
      Registration(WithoutUnknown.self) { r in WithoutUnknown(part: try r.resolve()) }
      Registration(Several.self) { r in Several(parts: try r.resolve()) }
      Registration(FirstRole.self, scope: .singleton) { _ in FirstRole() }.implements((any Role).self) { $0 }
      Registration(SecondRole.self, scope: .singleton) { _ in SecondRole() }.implements((any Role).self) { $0 }
      Registration(ThirdRole.self, scope: .singleton) { _ in ThirdRole() }.implements((any Role).self) { $0 }
      Registration(ForRoles.self) { r in ForRoles(roles: try r.resolve()) }
      Registration(Worker.self) { _ in Worker() }.implements((any Working).self) { $0 }
      Registration(ByAlias.self) { r in ByAlias(worker: try r.resolve()) }
      Registration(Weighted.self) { (_, weight: Int) in Weighted(weight: weight) }
      Registration(ByArgument.self) { r in ByArgument(weighted: try r.resolve(arguments: 1)) }
      Registration(Lazily.self) { r in
        let lazily = Lazily(part: try r.resolve())
        _ = try lazily.part()
        return lazily
      }
      Registration(Provided.self) { r in
        let provided = Provided(part: try r.resolve())
        _ = try provided.part()
        return provided
      }
    }
  }
}

// MARK: - The services, in the same file as their factories: see Chain.swift

private protocol Part: Sendable { var weight: Int { get } }
private struct StandardPart: Part { var weight: Int { 1 } }
private protocol UnknownPart: Sendable {}

private protocol Role: Sendable {}
private final class FirstRole: Role {}
private final class SecondRole: Role {}
private final class ThirdRole: Role {}
private protocol Working: Sendable { var weight: Int { get } }
private final class Worker: Working { let weight = 1 }

private final class Weighted: Sendable {
  let weight: Int
  init(weight: Int) { self.weight = weight }
}

private protocol RelationshipUser: Sendable {
  /// 1 if the service has all that it asked for.
  func answer() throws -> Int

  static func consume(_ user: borrowing Self)
}

private final class Required: RelationshipUser {
  let part: any Part
  init(part: any Part) { self.part = part }
  func answer() -> Int { part.weight }

  @inline(never) @_optimize(none)
  static func consume(_ user: borrowing Required) {}
}

private final class Optionally: RelationshipUser {
  let part: (any Part)?
  init(part: (any Part)?) { self.part = part }
  func answer() -> Int { part?.weight ?? 0 }

  @inline(never) @_optimize(none)
  static func consume(_ user: borrowing Optionally) {}
}

private final class WithoutUnknown: RelationshipUser {
  let part: (any UnknownPart)?
  init(part: (any UnknownPart)?) { self.part = part }
  func answer() -> Int { part == nil ? 1 : 0 }

  @inline(never) @_optimize(none)
  static func consume(_ user: borrowing WithoutUnknown) {}
}

private final class Several: RelationshipUser {
  let parts: [any Part]
  init(parts: [any Part]) { self.parts = parts }
  func answer() -> Int { parts.count - 2 }

  @inline(never) @_optimize(none)
  static func consume(_ user: borrowing Several) {}
}

private final class ForRoles: RelationshipUser {
  let roles: [any Role]
  init(roles: [any Role]) { self.roles = roles }
  func answer() -> Int { roles.count - 2 }

  @inline(never) @_optimize(none)
  static func consume(_ user: borrowing ForRoles) {}
}

private final class ByAlias: RelationshipUser {
  let worker: any Working
  init(worker: any Working) { self.worker = worker }
  func answer() -> Int { worker.weight }

  @inline(never) @_optimize(none)
  static func consume(_ user: borrowing ByAlias) {}
}

private final class ByArgument: RelationshipUser {
  let weighted: Weighted
  init(weighted: Weighted) { self.weighted = weighted }
  func answer() -> Int { weighted.weight }

  @inline(never) @_optimize(none)
  static func consume(_ user: borrowing ByArgument) {}
}

private final class Lazily: RelationshipUser {
  let part: Lazy<any Part>
  init(part: Lazy<any Part>) { self.part = part }
  func answer() throws -> Int { try part().weight }

  @inline(never) @_optimize(none)
  static func consume(_ user: borrowing Lazily) {}
}

private final class Provided: RelationshipUser {
  let part: Provider<any Part>
  init(part: Provider<any Part>) { self.part = part }
  func answer() throws -> Int { try part().weight }

  @inline(never) @_optimize(none)
  static func consume(_ user: borrowing Provided) {}
}
