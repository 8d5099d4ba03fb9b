import SwiftSyntax

/// What a container makes of a dependency's type.
enum Relation {
  /// The service itself.
  case service
  /// A service of its own scope: `Owned`.
  case owned
  /// A service, or nothing: `T?`.
  case optional
  /// All services of the type: `[T]`, `[Key: T]`.
  case collection
  /// What every container has: `Resolver`, `Container`.
  case builtIn
}

/// The service that a dependency's type is about.
struct Related {
  let relation: Relation
  let service: TypeSyntax
  /// Whether the container resolves it later: `Lazy`, `Provider`.
  var isDeferred = false

  /// Whether the dependency is the service itself, at once.
  var isImmediateService: Bool { relation == .service && !isDeferred }
}

extension TypeSyntax {
  /// The service type that a dependency is about, and how.
  var related: Related {
    let value = ofValue.withoutParentheses
    if let optional = value.as(OptionalTypeSyntax.self) {
      return Related(relation: .optional, service: optional.wrappedType.withoutParentheses)
    }
    if let array = value.as(ArrayTypeSyntax.self) {
      return Related(relation: .collection, service: array.element.withoutParentheses)
    }
    if let dictionary = value.as(DictionaryTypeSyntax.self) {
      return Related(relation: .collection, service: dictionary.value.withoutParentheses)
    }
    guard let name = value.lastName else { return Related(relation: .service, service: value) }
    let arguments = name.arguments?.arguments.compactMap { $0.argument.as(TypeSyntax.self)?.withoutParentheses } ?? []
    switch (name.text, arguments.count) {
    case ("Resolver", 0), ("Container", 0): return Related(relation: .builtIn, service: value)
    case ("Optional", 1): return Related(relation: .optional, service: arguments[0])
    case ("Array", 1), ("Dictionary", 2):
      return Related(relation: .collection, service: arguments[arguments.count - 1])
    case ("Owned", 1): return Related(relation: .owned, service: arguments[0])
    case ("Lazy", 1), ("Provider", 1):
      var inner = arguments[0].related
      inner.isDeferred = true
      return inner
    // With run-time arguments: only the container knows them.
    case ("Lazy", _), ("Provider", _), ("Owned", _): return Related(relation: .builtIn, service: value)
    default: return Related(relation: .service, service: value)
    }
  }

  private var lastName: (text: String, arguments: GenericArgumentClauseSyntax?)? {
    if let name = self.as(IdentifierTypeSyntax.self) { return (name.name.text, name.genericArgumentClause) }
    guard let member = self.as(MemberTypeSyntax.self),
      ["ActorDI", "Swift"].contains(member.baseType.trimmedDescription)
    else { return nil }
    return (member.name.text, member.genericArgumentClause)
  }

  var withoutParentheses: TypeSyntax {
    guard let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first,
      only.firstName == nil
    else { return trimmed }
    return only.type.withoutParentheses
  }
}
