import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// A provider of a graph: a method marked `@Provides`, or a stored property.
struct ProviderSyntax {
  let name: String
  /// The service type that the provider returns.
  let service: TypeSyntax
  let key: ExprSyntax?
  let scope: ExprSyntax?
  let isEager: Bool
  let dependencies: [Dependency]
  /// Nil for a stored property.
  let function: FunctionDeclSyntax?
  /// Whether it is at least as visible as the graph.
  let isExported: Bool
  /// Whether only its file sees it.
  let isPrivate: Bool
  /// The name in the declaration, for messages.
  let node: Syntax

  var isAsync: Bool { function?.signature.effectSpecifiers?.asyncSpecifier != nil }
  var isThrowing: Bool { function?.signature.effectSpecifiers?.throwsClause != nil }
  /// The name of the scope, if it is written as a member: `singleton`, `scoped`.
  var scopeName: String? {
    if let call = scope?.as(FunctionCallExprSyntax.self) {
      return call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    }
    return scope?.as(MemberAccessExprSyntax.self)?.declName.baseName.text
  }
  var isSingleton: Bool { function == nil || scopeName == "singleton" }
  var takesArguments: Bool { dependencies.contains(where: \.isArgument) }
  var identity: ServiceName { ServiceName(type: service.trimmedDescription, key: key?.spelling) }
}

/// A service as it is written: two spellings of a type are two names. Two of a literal key are one.
struct ServiceName: Hashable {
  let type: String
  let key: String?

  /// The name in a message.
  var quoted: String { key.map { "'\(type)' with the key '\($0)'" } ?? "'\(type)'" }
}

extension Dependency {
  var key: ExprSyntax? {
    switch source {
    case .byKey(let key): key
    case .byType, .argument, .defaultValue: nil
    }
  }

  var identity: ServiceName {
    ServiceName(type: type.related.service.trimmedDescription, key: key?.spelling)
  }
}

extension ExprSyntax {
  /// The key as it is written, or the usual spelling of a literal: that of `#"a"#` is `"a"`.
  fileprivate var spelling: String {
    if let text = self.as(StringLiteralExprSyntax.self)?.representedLiteralValue { return text.debugDescription }
    if let number = self.as(IntegerLiteralExprSyntax.self)?.representedLiteralValue { return "\(number)" }
    return trimmedDescription
  }
}

/// Reads the providers and the included graphs of a graph.
struct ProviderReader {
  private(set) var providers: [ProviderSyntax] = []
  private(set) var included: [Included] = []
  private(set) var problems: [Problem] = []

  /// A property that holds an included graph.
  struct Included {
    let name: String
    let type: TypeSyntax
    /// Whether it is at least as visible as the graph.
    let isExported: Bool
  }

  /// The access modifier of the graph.
  private let access: String

  init(_ members: [DeclSyntax], access: String) {
    self.access = access
    for member in members {
      if let function = member.as(FunctionDeclSyntax.self) { read(function) }
      if let variable = member.as(VariableDeclSyntax.self) { read(variable) }
    }
  }

  private mutating func read(_ function: FunctionDeclSyntax) {
    guard let attribute = function.attributes.named("Provides") else { return }
    let name = function.name.text
    if let generic = function.genericParameterClause {
      return refuse(generic, "provider '\(name)' is generic, so it returns no certain service: write one for each type")
    }
    if function.modifiers.isStatic {
      return refuse(
        function.name, "provider '\(name)' is static, but a graph calls its providers on an instance: remove 'static'")
    }
    if let mutating = function.modifiers.first(where: { $0.name.tokenKind == .keyword(.mutating) }) {
      return refuse(mutating, "provider '\(name)' is mutating, but a graph never changes: remove 'mutating'")
    }
    guard let result = function.signature.returnClause?.type.ofValue, !result.isVoid else {
      return refuse(function.name, "provider '\(name)' returns nothing: return the service that it provides")
    }
    if let some = function.signature.returnClause?.type.opaque {
      return refuse(
        some, "provider '\(name)' returns no certain type: write 'any \(some.constraint.trimmed)'",
        fixing: [
          .replace(some.someOrAnySpecifier, with: "any", "replace 'some' with 'any'")
        ])
    }
    let arguments = InjectableArguments(attribute)
    let parameters = ParameterReader(function.signature.parameterClause.parameters)
    problems += arguments.problems + parameters.problems
    if arguments.isEager, let argument = parameters.dependencies.first(where: \.isArgument) {
      problems.append(.eagerArgument(argument, of: "provider '\(name)'"))
    }
    providers.append(
      ProviderSyntax(
        name: name, service: result.bare, key: arguments.key, scope: arguments.scope, isEager: arguments.isEager,
        dependencies: parameters.dependencies, function: function,
        isExported: isExported(function.modifiers), isPrivate: function.modifiers.isPrivate,
        node: Syntax(function.name)))
  }

  private mutating func read(_ variable: VariableDeclSyntax) {
    let includes = variable.attributes.named("Include")
    if let provides = variable.attributes.named("Provides") {
      problems.append(
        Problem(
          at: provides,
          "a stored property provides its value without '@Provides': remove the marker, or write a method",
          fixIts: [.remove(provides)]))
    }
    guard !variable.modifiers.isStatic else { return refuse(includes, on: variable, "is static") }
    for (binding, type) in variable.typedBindings {
      if binding.isComputed {
        refuse(includes, on: variable, "is computed")
        continue
      }
      if variable.modifiers.contains(.lazy) {
        let name = binding.pattern.trimmed
        refuse(name, "property '\(name)' is lazy, so reading it changes the graph: remove 'lazy'")
        continue
      }
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else {
        problems.append(.severalProperties(in: binding.pattern))
        continue
      }
      guard let type else {
        refuse(name, "property '\(name.text)' states no type: write the type of the service that it provides")
        continue
      }
      let isExported = isExported(variable.modifiers)
      if includes != nil {
        included.append(Included(name: name.text, type: type.trimmed, isExported: isExported))
      } else {
        providers.append(
          ProviderSyntax(
            name: name.text, service: type.bare, key: nil, scope: nil, isEager: false, dependencies: [], function: nil,
            isExported: isExported, isPrivate: variable.modifiers.isPrivate, node: Syntax(name)))
      }
    }
  }

  /// Refuses `@Include` on a property that no initialiser sets.
  private mutating func refuse(_ includes: AttributeSyntax?, on variable: VariableDeclSyntax, _ reason: String) {
    guard let includes else { return }
    let name = variable.bindings.first?.pattern.trimmedDescription ?? ""
    refuse(
      includes, "property '\(name)' \(reason), so '@Include' has no effect: make it a stored property of the instance")
  }

  /// Whether a member is at least as visible as the graph.
  private func isExported(_ modifiers: DeclModifierListSyntax) -> Bool {
    !modifiers.isPrivate && (access.isEmpty || ["public ", access].contains(modifiers.accessOfMembers))
  }

  private mutating func refuse(_ node: some SyntaxProtocol, _ text: String, fixing fixIts: [FixIt] = []) {
    problems.append(Problem(at: node, text, fixIts: fixIts))
  }
}

extension Problem {
  /// `start()` cannot build a service with run-time arguments.
  static func eagerArgument(_ argument: Dependency, of owner: String) -> Problem {
    Problem(
      at: argument.node,
      "\(owner) is eager, but 'start()' has no run-time argument for '\(argument.name)': "
        + "remove '@Argument' or 'eager: true'")
  }
}

extension TypeSyntax {
  /// The type without attributes and needless parentheses.
  fileprivate var bare: TypeSyntax { ofValue.withoutParentheses }
}
