import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Adds an overload whose parameters a container supplies.
public struct InjectedParametersMacro: PeerMacro {
  public static func expansion(
    of attribute: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let callable = Callable(declaration, in: context.lexicalContext) else {
      context.report([Problem(at: attribute, "'@InjectedParameters' applies to a function or an initialiser")])
      return []
    }
    if let type = context.lexicalContext.first?.as(ProtocolDeclSyntax.self) {
      context.report([
        Problem(
          at: attribute,
          "'\(callable.name)' is a requirement of '\(type.name.text)', whose members have no bodies: "
            + "mark a member of an extension of the protocol that calls it")
      ])
      return []
    }
    if context.isLocal {
      context.report([
        Problem(
          at: attribute,
          "'\(callable.name)' is a local function, beside which Swift finds no overload of a macro: "
            + "move it out of the one around it")
      ])
      return []
    }
    let reader = ParameterReader(callable.parameters, ignoring: IgnoredNames(attribute, of: callable.parameters))
    var problems = reader.problems
    if problems.isEmpty, !reader.dependencies.contains(where: \.isResolved) {
      problems.append(
        Problem(
          at: attribute,
          "no parameter of '\(callable.name)' is left for a container to supply: remove '@InjectedParameters'",
          fixIts: [.remove(attribute)]))
    }
    problems += callable.problems(with: reader.dependencies)
    context.report(problems)
    let overload = OverloadWriter(callable: callable, dependencies: reader.dependencies)
    return problems.contains { $0.severity == .error } ? [] : [overload.declaration]
  }
}

/// The names in `ignoring:`.
struct IgnoredNames {
  private(set) var names: Set<String> = []
  private(set) var problems: [Problem] = []

  init() {}

  init(_ attribute: AttributeSyntax, of parameters: FunctionParameterListSyntax) {
    let known = parameters.map { ($0.secondName ?? $0.firstName).text }
    for argument in attribute.list {
      guard let literal = argument.expression.as(StringLiteralExprSyntax.self),
        let name = literal.representedLiteralValue
      else {
        problems.append(
          Problem(
            at: argument.expression,
            "'ignoring:' takes names in quotes, because the overload is written at compile time"))
        continue
      }
      if known.contains(name) {
        names.insert(name)
        continue
      }
      let meant = parameters.first { $0.firstName.text == name }.map { ($0.secondName ?? $0.firstName).text }
      let near = meant ?? known.first { $0.lowercased().isNear(name.lowercased()) }
      let list = known.map { "'\($0)'" }.joined(separator: ", ")
      problems.append(
        Problem(
          at: argument.expression,
          "there is no parameter '\(name)'" + (near.map { ": did you mean '\($0)'?" } ?? ", but there is: \(list)"),
          fixIts: near.map {
            [.replace(argument.expression, with: $0.asLiteral, "replace it with \"\($0)\"")]
          }
            ?? []))
    }
  }
}
