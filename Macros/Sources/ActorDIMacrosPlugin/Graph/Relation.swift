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
  /// A service that is resolved later: `Lazy`, `Provider`.
  case deferred
  /// What every container has: `Resolver`, `Container`.
  case builtIn
}

extension TypeSyntax {
  /// The service type that a dependency is about, and how.
  var related: (relation: Relation, service: TypeSyntax) {
    let value = ofValue.withoutParentheses
    if let optional = value.as(OptionalTypeSyntax.self) { return (.optional, optional.wrappedType.withoutParentheses) }
    if let array = value.as(ArrayTypeSyntax.self) { return (.collection, array.element.withoutParentheses) }
    if let dictionary = value.as(DictionaryTypeSyntax.self) {
      return (.collection, dictionary.value.withoutParentheses)
    }
    guard let name = value.lastName else { return (.service, value) }
    let arguments = name.arguments?.arguments.compactMap { $0.argument.as(TypeSyntax.self)?.withoutParentheses } ?? []
    switch (name.text, arguments.count) {
    case ("Resolver", 0), ("Container", 0): return (.builtIn, value)
    case ("Optional", 1): return (.optional, arguments[0])
    case ("Array", 1), ("Dictionary", 2): return (.collection, arguments[arguments.count - 1])
    case ("Owned", 1): return (.owned, arguments[0])
    case ("Lazy", 1), ("Provider", 1):
      let inner = arguments[0].related
      return inner.relation == .service ? (.deferred, inner.service) : (.optional, inner.service)
    // With run-time arguments: only the container knows them.
    case ("Lazy", _), ("Provider", _), ("Owned", _): return (.builtIn, value)
    default: return (.service, value)
    }
  }

  private var lastName: (text: String, arguments: GenericArgumentClauseSyntax?)? {
    if let name = self.as(IdentifierTypeSyntax.self) { return (name.name.text, name.genericArgumentClause) }
    guard let member = self.as(MemberTypeSyntax.self), member.baseType.trimmedDescription == "ActorDI" else {
      return nil
    }
    return (member.name.text, member.genericArgumentClause)
  }

  var withoutParentheses: TypeSyntax {
    guard let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first,
      only.firstName == nil
    else { return trimmed }
    return only.type.withoutParentheses
  }
}
