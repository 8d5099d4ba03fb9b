import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder

/// A parameter of the chosen initialiser or function, or a stored property of the memberwise initialiser.
struct Dependency {
  /// The argument label in a call; nil for none.
  let label: String?
  let name: String
  let type: TypeSyntax
  let source: Source
  /// The declaration, for messages.
  let node: Syntax

  enum Source {
    /// Resolved by type.
    case byType
    /// Resolved by type and key, or by a token.
    case byKey(ExprSyntax)
    /// Passed at run time.
    case argument
    /// Left to the default value.
    case defaultValue
  }

  var isArgument: Bool { if case .argument = source { true } else { false } }
  var isLeftOut: Bool { if case .defaultValue = source { true } else { false } }
  var isResolved: Bool { !isArgument && !isLeftOut }

  /// The call that resolves the dependency.
  func resolving(from resolver: String) -> String {
    let type = type.inExpression
    return switch source {
    case .byType: "\(resolver).resolve(\(type).self)"
    // The type checker knows whether it is a token.
    case .byKey(let key): "\(resolver)._injected(\(type).self, \(key.trimmed))"
    case .argument, .defaultValue: name
    }
  }

  /// The prefix of the dependency in a call.
  var labelText: String { label.map { "\($0.asLabel): " } ?? "" }
}

extension String {
  /// The name as an argument label in a call. A raw identifier, such as one with spaces, needs its backticks.
  var asLabel: String { withoutBackticks(exceptOf: ["`inout`"]) }

  /// The name as that of a parameter, in its declaration.
  var asParameter: String { withoutBackticks(exceptOf: ["`inout`", "`var`", "`let`"]) }

  private func withoutBackticks(exceptOf keywords: [String]) -> String {
    guard hasPrefix("`"), !keywords.contains(self) else { return self }
    let name = withoutBackticks
    return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? name : self
  }

  /// The name as an expression, with the backticks that a keyword needs.
  var asReference: String { hasPrefix("`") || isValidSwiftIdentifier(for: .variableName) ? self : "`\(self)`" }

  /// A string literal of one line. An attribute takes no raw one.
  var asLiteral: String {
    let line = split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return "\"\(line.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }

  var withoutBackticks: String { hasPrefix("`") ? String(dropFirst().dropLast()) : self }
}

extension Array where Element == Dependency {
  /// The modifiers that declare the dependencies, in lines.
  func declared() -> [String] {
    var keyed: [String] = []
    var types: [String] = []
    for dependency in self where dependency.isResolved {
      let type = dependency.type.inExpression
      switch dependency.source {
      case .byKey(let key):
        // The property wrapper of a parameter compares the types itself.
        let label = dependency.node.is(VariableDeclSyntax.self) ? "ofProperty: " : ""
        keyed.append("  $0._dependsOn(\(type).self, \(label)\(key.trimmed))")
      default: types.append("\(type).self")
      }
    }
    var modifiers: [String] = []
    if !types.isEmpty || keyed.isEmpty { modifiers.append(".dependsOn(\(types.joined(separator: ", ")))") }
    // Statements, because the type checker gives up on one expression with many overloads.
    if !keyed.isEmpty { modifiers += ["._declaring {"] + keyed + ["}"] }
    return modifiers
  }
}
