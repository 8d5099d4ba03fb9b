import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// The arguments of `@Injectable(as:scope:key:eager:isolation:)`.
struct InjectableArguments {
  /// The service type; nil for the type itself.
  private(set) var service: String?
  private(set) var scope: ExprSyntax?
  /// The global actor of the initialiser, if the user names it.
  private(set) var isolation: String?
  private(set) var key: ExprSyntax?
  private(set) var eager: LabeledExprSyntax?
  private(set) var isEager = false
  private(set) var problems: [Problem] = []

  init(_ attribute: AttributeSyntax) {
    for argument in attribute.list {
      switch argument.label?.text {
      case "as": service = type(in: argument.expression, such: "(any Store).self")
      case "isolation":
        isolation = argument.expression.isNil ? nil : type(in: argument.expression, such: "DatabaseActor.self")
      case "scope": scope = argument.expression.isNil ? nil : argument.expression
      case "key": key = argument.expression.isNil ? nil : argument.expression
      case "eager": readEager(argument)
      default: break
      }
    }
    if isEager { checkEager(attribute) }
  }

  /// The type in front of `.self`.
  private mutating func type(in expression: ExprSyntax, such example: String) -> String? {
    if let member = expression.as(MemberAccessExprSyntax.self), member.declName.baseName.text == "self",
      let base = member.base
    {
      return base.trimmedDescription
    }
    problems.append(
      Problem(
        at: expression,
        "'\(expression.trimmed)' is no type: write the type followed by '.self', such as '\(example)'"))
    return nil
  }

  private mutating func readEager(_ argument: LabeledExprSyntax) {
    eager = argument
    guard let literal = argument.expression.as(BooleanLiteralExprSyntax.self) else {
      problems.append(
        Problem(
          at: argument.expression,
          "'eager' must be 'true' or 'false', because the registration is written at compile time"))
      return
    }
    isEager = literal.literal.tokenKind == .keyword(.true)
  }

  /// The scopes that keep no instance for `start()`.
  private static let unkept = ["transient", "graph", "shared", "automatic"]

  private mutating func checkEager(_ attribute: AttributeSyntax) {
    guard let scope else {
      problems.append(
        Problem(
          at: attribute, "an eager service needs a scope that keeps what 'start()' builds: add 'scope: .singleton'",
          fixIts: attribute.addingScope.map { [$0] } ?? []))
      return
    }
    guard let member = scope.as(MemberAccessExprSyntax.self), Self.unkept.contains(member.declName.baseName.text) else {
      return
    }
    problems.append(
      Problem(
        at: scope,
        "an eager service needs a scope that keeps what 'start()' builds, but '\(scope.trimmed)' does not: write '.singleton'",
        fixIts: [.replace(scope, with: ".singleton", "replace it with '.singleton'")]))
  }
}

extension ExprSyntax {
  fileprivate var isNil: Bool { self.is(NilLiteralExprSyntax.self) }
}

extension AttributeSyntax {
  /// Adds `scope: .singleton` in its place among the arguments.
  fileprivate var addingScope: FixIt? {
    let next = list.first { $0.label?.text == "key" || $0.label?.text == "eager" }
    return next.map { .insert("scope: .singleton, ", before: $0, "add 'scope: .singleton'") }
  }
}
