import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// The initialiser of a class or actor that declares none: it sets the stored properties without default values.
///
/// It is internal, as that of a struct is, because the types of the properties of a public type may be.
struct MemberwiseInitializer {
  let properties: [Dependency]

  var declaration: DeclSyntax {
    let set = properties.filter { !$0.isLeftOut }
    let parameters = set.map { property in "\(property.name.asParameter): \(property.type.inParameter)" }
    let assignments = set.map { property in "  self.\(property.name) = \(property.name)" }
    return """
      init(\(raw: parameters.joined(separator: ", "))) {
      \(raw: assignments.joined(separator: "\n"))
      }
      """
  }
}
