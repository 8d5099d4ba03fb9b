import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// The initialiser of a class or actor that declares none: it sets the stored properties without default values.
struct MemberwiseInitializer {
  let owner: Owner
  let properties: [Dependency]

  var declaration: DeclSyntax {
    let set = properties.filter { !$0.isLeftOut }
    let parameters = set.map { property in "\(property.name.asLabel): \(property.type.inParameter)" }
    let assignments = set.map { property in "  self.\(property.name) = \(property.name)" }
    return """
      \(raw: owner.access)init(\(raw: parameters.joined(separator: ", "))) {
      \(raw: assignments.joined(separator: "\n"))
      }
      """
  }
}
