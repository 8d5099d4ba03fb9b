import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

extension AttributeSyntax {
  /// The name without a module: `Key` for `@ActorDIMacros.Key("a")`.
  var name: String {
    if let member = attributeName.as(MemberTypeSyntax.self) { return member.name.text }
    return attributeName.as(IdentifierTypeSyntax.self)?.name.text ?? attributeName.trimmedDescription
  }

  /// The arguments in parentheses.
  var list: [LabeledExprSyntax] {
    if case .argumentList(let list) = arguments { Array(list) } else { [] }
  }
}

extension AttributeListSyntax {
  var attributes: [AttributeSyntax] { compactMap { $0.as(AttributeSyntax.self) } }

  func named(_ name: String) -> AttributeSyntax? { attributes.first { $0.name == name } }

  /// The attribute that isolates a declaration to a global actor: `@MainActor`, or one whose name ends with `Actor`.
  var globalActor: AttributeSyntax? { attributes.first { $0.name.hasSuffix("Actor") && $0.list.isEmpty } }
}

extension DeclModifierListSyntax {
  func contains(_ keyword: Keyword) -> Bool { contains { $0.name.tokenKind == .keyword(keyword) && $0.detail == nil } }

  var isStatic: Bool { contains(.static) || contains(.class) }
  var isPrivate: Bool { contains(.private) || contains(.fileprivate) }

  /// The access modifier, with a space, for a member that is as visible as its type.
  var accessOfMembers: String {
    if contains(.public) || contains(.open) { return "public " }
    return contains(.package) ? "package " : ""
  }

  fileprivate var stateAccess: Bool {
    [.open, .public, .package, .internal, .fileprivate, .private].contains { contains($0) }
  }
}

extension MacroExpansionContext {
  /// Whether the declaration is local to a function. Swift does not look up what a macro adds beside it.
  var isLocal: Bool { lexicalContext.first.map { $0.asProtocol((any DeclGroupSyntax).self) == nil } ?? false }

  /// The access modifier of a member that is as visible as its type, with a space. An extension's holds for the types in it that state none.
  func access(ofMembersOf type: DeclModifierListSyntax) -> String {
    let around = type.stateAccess ? nil : lexicalContext.first?.as(ExtensionDeclSyntax.self)
    return (around?.modifiers ?? type).accessOfMembers
  }
}

extension TypeSyntax {
  /// The type of a value, without specifiers and attributes such as `sending` and `@escaping`.
  var ofValue: TypeSyntax {
    if let attributed = self.as(AttributedTypeSyntax.self) {
      let kept = attributed.attributes.attributes.filter { $0.name != "escaping" && $0.name != "autoclosure" }
      guard !kept.isEmpty else { return attributed.baseType.ofValue }
      var bare = attributed
      bare.specifiers = []
      bare.attributes = AttributeListSyntax(kept.map { .attribute($0.with(\.trailingTrivia, .space)) })
      return TypeSyntax(bare.trimmed)
    }
    if let unwrapped = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return TypeSyntax(OptionalTypeSyntax(wrappedType: unwrapped.wrappedType.trimmed))
    }
    return trimmed
  }

  /// The type as an expression in front of `.self`.
  var inExpression: String {
    let value = ofValue
    switch value.kind {
    case .identifierType, .memberType, .arrayType, .dictionaryType, .optionalType, .tupleType: return "\(value)"
    default: return "(\(value))"
    }
  }

  /// The opaque type that the type is or contains, such as `some Store` in `[some Store]`.
  var opaque: SomeOrAnyTypeSyntax? {
    let some = tokens(viewMode: .sourceAccurate).first { $0.tokenKind == .keyword(.some) }
    return some?.parent?.as(SomeOrAnyTypeSyntax.self)
  }

  var isVoid: Bool {
    ["Void", "Swift.Void"].contains(trimmedDescription) || self.as(TupleTypeSyntax.self)?.elements.isEmpty == true
  }

  /// The type of a parameter that is stored or passed on: a function escapes. An alias is known as a function by a stated `@escaping`.
  var inParameter: String {
    let isStated = self.as(AttributedTypeSyntax.self)?.attributes.named("escaping") != nil
    return "\(isStated || isFunction ? "@escaping " : "")\(ofValue)"
  }

  private var isFunction: Bool {
    if let attributed = self.as(AttributedTypeSyntax.self) { return attributed.baseType.isFunction }
    if let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first {
      return only.type.isFunction
    }
    return self.is(FunctionTypeSyntax.self)
  }
}

extension WithAttributesSyntax where Self: WithModifiersSyntax {
  /// The isolation that a declaration states, with a space; empty if it has that of its type.
  var isolation: String {
    if let actor = attributes.globalActor { return "@\(actor.attributeName.trimmed) " }
    return modifiers.contains(.nonisolated) ? "nonisolated " : ""
  }
}
