import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Writes the members of a test double from the requirements of a protocol.
struct RequirementReader {
  private let type: ProtocolDeclSyntax
  private let error: ExprSyntax?
  private let access: String
  private(set) var members: [String] = []
  private(set) var problems: [Problem] = []

  /// - Parameters:
  ///   - error: The error that throwing members throw, if the user chose one.
  ///   - access: The access modifier of the members, with a space.
  init(_ type: ProtocolDeclSyntax, error: ExprSyntax?, access: String, in context: some MacroExpansionContext) {
    self.type = type
    self.error = error
    self.access = access
    checkInheritance()
    let active = ActiveMembers(type.memberBlock.members, in: context) { _ in true }
    problems += active.problems
    for member in active.declarations { read(member) }
  }

  private mutating func checkInheritance() {
    for inherited in type.inheritanceClause?.inheritedTypes ?? [] where inherited.type.trimmedDescription == "Actor" {
      refuse(inherited, "'\(type.name.text)' is for actors, and the double is a class: write the double by hand")
    }
  }

  private mutating func read(_ declaration: DeclSyntax) {
    if let function = declaration.as(FunctionDeclSyntax.self) {
      read(function)
    } else if let variable = declaration.as(VariableDeclSyntax.self) {
      read(variable)
    } else if let requirement = declaration.as(SubscriptDeclSyntax.self) {
      read(requirement)
    } else if let requirement = declaration.as(InitializerDeclSyntax.self) {
      refuse(
        requirement.initKeyword,
        "'\(type.name.text)' requires an initialiser, which has no double to record its call: write the double by hand")
    } else if let requirement = declaration.as(AssociatedTypeDeclSyntax.self) {
      refuse(
        requirement.name,
        "'\(type.name.text)' has the associated type '\(requirement.name.text)', which the macro cannot choose: write the double by hand"
      )
    }
  }

  private mutating func refuse(_ node: some SyntaxProtocol, _ text: String) { problems.append(Problem(at: node, text)) }

  /// Refuses a static requirement.
  private mutating func isStatic(_ modifiers: DeclModifierListSyntax, _ name: TokenSyntax) -> Bool {
    guard modifiers.isStatic else { return false }
    refuse(
      name,
      "'\(name.text)' is static, so there is no double to record its call: write the double by hand, or make it an instance member"
    )
    return true
  }

  // MARK: - Requirements

  private mutating func read(_ function: FunctionDeclSyntax) {
    guard !isStatic(function.modifiers, function.name) else { return }
    let labels = function.signature.parameterClause.parameters.map { "\($0.firstName.text):" }.joined()
    let throwing = function.signature.effectSpecifiers?.throwsClause
    let result = function.signature.returnClause?.type
    let generics = function.genericParameterClause
    guard let body = body("\(function.name.text)(\(labels))", throwing, result, generics, at: function.name) else {
      return
    }
    add(function.attributes, function.modifiers, function.with(\.attributes, []).with(\.modifiers, []), body)
  }

  private mutating func read(_ variable: VariableDeclSyntax) {
    guard let binding = variable.bindings.first, let result = binding.typeAnnotation?.type else { return }
    let name = binding.pattern.trimmedDescription
    guard !isStatic(variable.modifiers, variable.bindingSpecifier) else { return }
    guard let accessors = accessors(binding.accessorBlock, name, result, nil, at: variable.bindingSpecifier) else {
      return
    }
    let head: DeclSyntax = "var \(raw: name): \(result.trimmed)"
    add(variable.attributes, variable.modifiers, head, accessors)
  }

  private mutating func read(_ requirement: SubscriptDeclSyntax) {
    guard !isStatic(requirement.modifiers, requirement.subscriptKeyword) else { return }
    let parameters = requirement.parameterClause.parameters
    let labels = parameters.map { $0.secondName == nil ? "_:" : "\($0.firstName.text):" }.joined()
    let result = requirement.returnClause.type
    let node = requirement.subscriptKeyword
    let (block, generics) = (requirement.accessorBlock, requirement.genericParameterClause)
    guard let accessors = accessors(block, "subscript(\(labels))", result, generics, at: node) else { return }
    let head = requirement.with(\.attributes, []).with(\.modifiers, []).with(\.accessorBlock, nil)
    add(requirement.attributes, requirement.modifiers, head, accessors)
  }

  /// Adds a member. Its attributes stand in front of its access modifier, and on lines of their own, as one with `#if` must.
  private mutating func add(
    _ attributes: AttributeListSyntax, _ modifiers: DeclModifierListSyntax, _ head: some SyntaxProtocol, _ body: String
  ) {
    let kept = modifiers.filter { !$0.isMutation }.map { "\($0.trimmed) " }.joined()
    let lines = attributes.isEmpty ? "" : "\(attributes.trimmed)\n"
    members.append("\(lines)\(access)\(kept)\(naming(head)) {\n\(body)\n}")
  }

  /// A part of a requirement, in which `Self` is the double.
  private func naming(_ part: some SyntaxProtocol) -> String {
    SelfNaming(name: type.nameOfDouble).rewrite(part.trimmed).trimmedDescription
  }

  // MARK: - Bodies

  private mutating func accessors(
    _ block: AccessorBlockSyntax?, _ name: String, _ result: TypeSyntax, _ generics: GenericParameterClauseSyntax?,
    at node: TokenSyntax
  ) -> String? {
    guard case .accessors(let list) = block?.accessors else { return nil }
    var bodies: [String] = []
    for accessor in list {
      if accessor.accessorSpecifier.tokenKind == .keyword(.set) {
        bodies.append("set {\n\(record(name))\n}")
        continue
      }
      let effects = accessor.effectSpecifiers.map { " \($0.trimmed)" } ?? ""
      let throwing = accessor.effectSpecifiers?.throwsClause
      guard let body = body(name, throwing, result, generics, at: node) else { return nil }
      bodies.append("get\(effects) {\n\(body)\n}")
    }
    return bodies.joined(separator: "\n")
  }

  private func record(_ name: String) -> String { "_record(\("\(type.name.text).\(name)".asLiteral))" }

  /// The body of a member: records the call, then throws or returns what it can.
  private mutating func body(
    _ name: String, _ throwing: ThrowsClauseSyntax?, _ result: TypeSyntax?, _ generics: GenericParameterClauseSyntax?,
    at node: TokenSyntax
  ) -> String? {
    let full = "\(type.name.text).\(name)"
    if let throwing, throwing.throwsByItself(in: generics) {
      if let error { return "\(record(name))\nthrow \(error.trimmed)" }
      guard let type = throwing.type, type.trimmedDescription != "any Error" else {
        return "\(record(name))\nthrow ActorDIMacros.UnimplementedMemberError(\(full.asLiteral))"
      }
      refuse(node, "'\(name)' throws only '\(type.trimmed)': say which, '@Unimplemented(throwing: \(type.trimmed)…)'")
      return nil
    }
    guard let result, !result.isVoid else { return record(name) }
    if let empty = result.related.emptyValue { return "\(record(name))\nreturn \(empty)" }
    let reason = "\(full) is not implemented for this test, and has no value to return."
    return "\(record(name))\nfatalError(\(reason.asLiteral))"
  }
}

/// Replaces `Self`, which a class can only return, by the name of the class.
private final class SelfNaming: SyntaxRewriter {
  private let name: String

  init(name: String) {
    self.name = name
    super.init()
  }

  override func visit(_ token: TokenSyntax) -> TokenSyntax {
    token.tokenKind == .keyword(.Self) ? token.with(\.tokenKind, .identifier(name)) : token
  }
}

extension ProtocolDeclSyntax {
  var nameOfDouble: String { "Unimplemented\(name.text.withoutBackticks)".asReference }
}

extension DeclModifierSyntax {
  /// Whether the modifier is one that a class does not have.
  fileprivate var isMutation: Bool {
    [.keyword(.mutating), .keyword(.nonmutating)].contains(name.tokenKind)
  }
}

extension Related {
  /// The value that the type has in any case, as an expression.
  fileprivate var emptyValue: String? {
    switch relation {
    case _ where isDeferred: nil
    case .optional: "nil"
    case .collection: ".init()"
    case .service, .owned, .builtIn: nil
    }
  }
}

extension ThrowsClauseSyntax {
  /// Whether the member may throw an error of its own. One with `rethrows`, or a generic error, throws only those of its arguments.
  fileprivate func throwsByItself(in generics: GenericParameterClauseSyntax?) -> Bool {
    guard throwsSpecifier.tokenKind == .keyword(.throws) else { return false }
    guard let name = type?.trimmedDescription else { return true }
    return name != "Never" && generics?.parameters.contains { $0.name.text == name } != true
  }
}
