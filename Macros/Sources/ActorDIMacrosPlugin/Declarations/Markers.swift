import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// The markers on a parameter or property: `@Key(…)`, `@Argument`, `@UseDefault`.
enum Marker: String, CaseIterable {
  case key = "Key"
  case argument = "Argument"
  case useDefault = "UseDefault"

  static func of(_ attributes: AttributeListSyntax) -> [(Marker, AttributeSyntax)] {
    attributes.attributes.compactMap { attribute in Marker(rawValue: attribute.name).map { ($0, attribute) } }
  }

  /// The marker whose name an attribute misspells.
  static func meant(by name: String) -> String? {
    guard !["Injected", "Injectable"].contains(name) else { return nil }
    let names = allCases.map(\.rawValue) + ["Inject"]
    return names.first { name != $0 && name.lowercased().isNear($0.lowercased()) }
  }
}

/// Reads the markers of a parameter or property.
struct MarkerReader {
  let owner: String
  let hasDefault: Bool
  let attributes: AttributeListSyntax
  let type: TypeSyntax
  private(set) var problems: [Problem] = []

  init(_ attributes: AttributeListSyntax, of owner: String, _ type: TypeSyntax, hasDefault: Bool) {
    self.owner = owner
    self.hasDefault = hasDefault
    self.attributes = attributes
    self.type = type
  }

  mutating func source() -> Dependency.Source {
    let markers = Marker.of(attributes)
    for attribute in attributes.attributes {
      guard Marker(rawValue: attribute.name) == nil, let meant = Marker.meant(by: attribute.name) else { continue }
      // The compiler reports the unknown attribute itself; this adds what to write.
      var problem = Problem(
        at: attribute.attributeName, "'@\(attribute.name)' on \(owner): did you mean '@\(meant)'?",
        fixIts: [.replace(attribute.attributeName, with: meant, "replace it with '@\(meant)'")])
      problem.severity = .note
      problems.append(problem)
    }
    guard let (marker, attribute) = markers.first else { return .byType }
    if markers.count > 1 {
      let (_, second) = markers[1]
      problems.append(
        Problem(
          at: second, "\(owner) has both '@\(attribute.name)' and '@\(second.name)': keep one of them",
          fixIts: [.remove(second), .remove(attribute)]))
      // Is checked no further, because either may be meant.
      return .defaultValue
    }
    switch marker {
    case .argument: return .argument
    case .useDefault:
      if !hasDefault {
        problems.append(
          Problem(
            at: attribute, "\(owner) has no default value for '@UseDefault': give it one, or remove the marker",
            fixIts: [.remove(attribute)]))
      }
      return .defaultValue
    case .key: return keyed(attribute)
    }
  }

  private mutating func keyed(_ attribute: AttributeSyntax) -> Dependency.Source {
    // Without its argument, the compiler reports the attribute itself.
    guard let key = attribute.list.first?.expression else { return .byType }
    if key.isToken, !type.related.isImmediateService {
      problems.append(
        Problem(
          at: key,
          "\(owner) has the type '\(type.trimmed)', but a token names a single service: "
            + "write the key itself, such as '@Key(\"replica\")'"))
    }
    return .byKey(key)
  }
}

extension ExprSyntax {
  /// Whether the spelling is the value of a key.
  var isLiteral: Bool {
    if let text = self.as(StringLiteralExprSyntax.self) { return text.representedLiteralValue != nil }
    return self.is(IntegerLiteralExprSyntax.self) || self.is(BooleanLiteralExprSyntax.self)
  }

  /// Whether a key is a `ServiceKey`: written `.name`, or with the name of that type.
  var isToken: Bool {
    if let member = self.as(MemberAccessExprSyntax.self) {
      return member.base.map(\.isToken) ?? true
    }
    if let call = self.as(FunctionCallExprSyntax.self) { return call.calledExpression.isToken }
    if let generic = self.as(GenericSpecializationExprSyntax.self) { return generic.expression.isToken }
    return self.as(DeclReferenceExprSyntax.self)?.baseName.text == "ServiceKey"
  }
}

extension String {
  /// Whether two names differ by at most two insertions, deletions or replacements, and less than half of their letters.
  func isNear(_ other: String) -> Bool {
    let (first, second) = (Array(self), Array(other))
    var row = Array(0...second.count)
    for (index, letter) in first.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in second.indices {
        let replaced = diagonal + (letter == second[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = Swift.min(replaced, row[column] + 1, row[column + 1] + 1)
      }
    }
    return row[second.count] <= Swift.min(2, other.count / 2)
  }
}
