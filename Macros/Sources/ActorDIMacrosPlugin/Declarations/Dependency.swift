import SwiftDiagnostics
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
    /// Resolved by type and key.
    case byKey(ExprSyntax)
    /// Resolved by a token.
    case byToken(ExprSyntax)
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
    case .byKey(let key): "\(resolver).resolve(\(type).self, key: \(key.trimmed))"
    case .byToken(let token): "\(resolver)._injected(\(type).self, \(token.trimmed))"
    case .argument, .defaultValue: name
    }
  }

  /// The prefix of the dependency in a call.
  var labelText: String { label.map { "\($0.asLabel): " } ?? "" }
}

extension String {
  /// The name without the backticks that a label does not need.
  var asLabel: String {
    guard hasPrefix("`"), !["`inout`", "`var`", "`let`"].contains(self) else { return self }
    return String(dropFirst().dropLast())
  }
}

extension Array where Element == Dependency {
  /// The modifiers that declare the dependencies, one a line.
  func declared() -> [String] {
    var modifiers: [String] = []
    var types: [String] = []
    for dependency in self where dependency.isResolved {
      let type = dependency.type.inExpression
      switch dependency.source {
      case .byKey(let key): modifiers.append(".dependsOn(\(type).self, key: \(key.trimmed))")
      case .byToken(let token): modifiers.append("._dependsOn(\(type).self, \(token.trimmed))")
      default: types.append("\(type).self")
      }
    }
    if !types.isEmpty || modifiers.isEmpty { modifiers.insert(".dependsOn(\(types.joined(separator: ", ")))", at: 0) }
    return modifiers
  }
}
