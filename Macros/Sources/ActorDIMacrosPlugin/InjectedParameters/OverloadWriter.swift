import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Writes the overload of a function or initialiser.
struct OverloadWriter {
  let callable: Callable
  let dependencies: [Dependency]

  /// The attributes and modifiers that the overload has, too.
  private static let keptAttributes = ["discardableResult", "available", "concurrent", "Sendable"]
  private static let droppedModifiers: [Keyword] = [.override, .required, .convenience, .open, .dynamic]

  var declaration: DeclSyntax {
    """
    /// Calls the overload with the other parameters, which a container supplies.
    \(raw: attributes)\(raw: modifiers)\(raw: head)\(raw: generics)(\(raw: parameters)) \(raw: effects)\(raw: result) {
      \(raw: call)
    }
    """
  }

  private var attributes: String {
    let kept = callable.attributes.attributes.filter {
      Self.keptAttributes.contains($0.name) || $0.name.hasSuffix("Actor")
    }
    return (["@_disfavoredOverload"] + kept.map(\.trimmedDescription)).joined(separator: " ") + "\n"
  }

  private var modifiers: String {
    var kept = callable.modifiers.filter { modifier in
      !Self.droppedModifiers.contains { modifier.name.tokenKind == .keyword($0) }
    }.map(\.trimmedDescription)
    if callable.modifiers.contains(.open) { kept.insert("public", at: 0) }
    if callable.isOfClass { kept.append("convenience") }
    return kept.map { $0 + " " }.joined()
  }

  private var head: String { callable.initializerMark.map { "init\($0)" } ?? "func \(callable.name)" }
  private var generics: String { callable.generics.map { "\($0.trimmed)" } ?? "" }
  private var effects: String { callable.isAsync ? "async throws" : "throws" }

  private var result: String {
    let type = callable.signature.returnClause.map { " \($0.trimmed)" } ?? ""
    return type + (callable.requirements.map { " \($0.trimmed)" } ?? "")
  }

  /// The name of the container parameter, different from those of the others and of the function.
  private var container: String {
    dependencies.contains { $0.name == "container" } || callable.name == "container"
      ? "injectingContainer" : "container"
  }

  /// The name by which the overload knows a parameter. It must not hide the function.
  private func name(of dependency: Dependency) -> String {
    guard callable.initializerMark == nil, dependency.name.withoutBackticks == callable.name.withoutBackticks else {
      return dependency.name
    }
    return "\(dependency.name.withoutBackticks)Argument"
  }

  private var parameters: String {
    var list = zip(callable.parameters, dependencies).filter { $1.isArgument }.map { parameter, dependency in
      parameter.with(\.trailingComma, nil).trimmed.withoutMarkers.named(name(of: dependency)).trimmedDescription
    }
    list.append("from \(container): ActorDI.Container = ActorDI.Container.current")
    return list.joined(separator: ", ")
  }

  private var call: String {
    let list = zip(callable.parameters, dependencies).filter { !$1.isLeftOut }.map { parameter, dependency in
      dependency.labelText
        + (dependency.isArgument
          ? parameter.passing(name(of: dependency)) : dependency.resolving(from: "\(container).resolver"))
    }
    let callee = callable.initializerMark == nil ? callable.name.asReference : "self.init"
    return "try \(callable.isAsync ? "await " : "")\(callee)(\(list.joined(separator: ", ")))"
  }
}

extension FunctionParameterSyntax {
  var withoutMarkers: Self {
    with(\.attributes, attributes.filter { Marker(rawValue: $0.as(AttributeSyntax.self)?.name ?? "") == nil })
  }

  /// The parameter with another name in the function.
  func named(_ name: String) -> Self {
    if (secondName ?? firstName).text == name { return self }
    return with(\.firstName.trailingTrivia, .space).with(\.secondName, .identifier(name))
  }

  /// The expression that passes the parameter on.
  func passing(_ name: String) -> String {
    let name = name.asReference
    if type.is(PackExpansionTypeSyntax.self) { return "repeat each \(name)" }
    guard let attributed = type.as(AttributedTypeSyntax.self) else { return name }
    if attributed.specifiers.contains(where: { $0.trimmedDescription == "inout" }) { return "&\(name)" }
    guard attributed.attributes.named("autoclosure") != nil else { return name }
    // The call stands in an autoclosure of its own, which an `await` around it does not cover.
    let isAsync = attributed.baseType.as(FunctionTypeSyntax.self)?.effectSpecifiers?.asyncSpecifier != nil
    return "\(isAsync ? "await " : "")\(name)()"
  }
}
