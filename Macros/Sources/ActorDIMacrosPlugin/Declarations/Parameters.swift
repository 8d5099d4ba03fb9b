import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// Reads the parameters of an initialiser or function as dependencies.
struct ParameterReader {
  private(set) var dependencies: [Dependency] = []
  private(set) var problems: [Problem] = []

  /// - Parameter ignored: The parameters that callers pass.
  init(_ parameters: FunctionParameterListSyntax, ignoring ignored: IgnoredNames = IgnoredNames()) {
    problems = ignored.problems
    for parameter in parameters { read(parameter, ignored.names) }
    if problems.isEmpty { checkLeftOut() }
  }

  /// A call gives an argument to the first parameter with its label. So a parameter with that of the next argument cannot be left out.
  private mutating func checkLeftOut() {
    for (index, dependency) in dependencies.enumerated() where dependency.isLeftOut {
      guard let next = dependencies[index...].first(where: { !$0.isLeftOut }), next.labelText == dependency.labelText
      else { continue }
      problems.append(
        Problem(
          at: dependency.node,
          "parameter '\(dependency.name)' cannot be left to its default value, because Swift would take that of '\(next.name)' "
            + "for it: give them different labels"))
    }
  }

  private mutating func read(_ parameter: FunctionParameterSyntax, _ ignored: Set<String>) {
    let name = (parameter.secondName ?? parameter.firstName).text
    let owner = "parameter '\(name)'"
    var markers = MarkerReader(
      parameter.attributes, of: owner, parameter.type, hasDefault: parameter.defaultValue != nil)
    let isIgnored = ignored.contains(name)
    let source = isIgnored ? .argument : markers.source()
    problems += markers.problems
    if let text = parameter.obstacle, markers.problems.isEmpty, !isIgnored {
      if case .defaultValue = source {} else { problems.append(Problem(at: parameter.type, "\(owner) \(text)")) }
    }
    let label = parameter.firstName.tokenKind == .wildcard ? nil : parameter.firstName.text
    // Generated code must pass on a parameter without a name, and tell it from others.
    let reference = name == "_" ? "unnamed\(dependencies.count + 1)" : name
    dependencies.append(
      Dependency(label: label, name: reference, type: parameter.type, source: source, node: Syntax(parameter)))
  }
}

extension FunctionParameterSyntax {
  /// Why a container cannot supply the parameter; nil if it can.
  fileprivate var obstacle: String? {
    if ellipsis != nil { return "is variadic, and a container resolves one value: take an array, '[\(type.trimmed)]'" }
    if type.is(PackExpansionTypeSyntax.self) {
      return "is a parameter pack, and a container resolves one value: take an array"
    }
    if let attributed = type.as(AttributedTypeSyntax.self) {
      if attributed.attributes.named("autoclosure") != nil {
        // A property wrapper stores what it marks, so a function must escape.
        let escaping = attributed.attributes.named("escaping") == nil ? "make it '@escaping' and " : ""
        return "is an autoclosure, and a container has no expression to pass: "
          + "take the value, or \(escaping)mark it '@UseDefault'"
      }
      for specifier in attributed.specifiers {
        let text = specifier.trimmedDescription
        if text == "inout" { return "is 'inout', and a container has no variable to pass: take the value" }
        if text == "isolated" {
          return "is 'isolated', and a container has no actor to pass: mark it '@UseDefault', or remove it"
        }
      }
    }
    if let some = type.opaque {
      return "has no certain type to resolve: write 'any \(some.constraint.trimmed)'"
    }
    return type.ofValue.isVoid ? "is empty: remove it" : nil
  }
}
