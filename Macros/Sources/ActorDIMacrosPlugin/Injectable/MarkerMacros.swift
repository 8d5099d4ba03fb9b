import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Key`, `@Argument` and `@UseDefault` on a property. Adds nothing: `@Injectable` reads them.
public struct MarkerMacro: PeerMacro {
  public static func expansion(
    of attribute: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard declaration.is(VariableDeclSyntax.self) else {
      context.report([
        Problem(
          at: attribute,
          "'@\(attribute.name)' marks a parameter of an initialiser or function, or a stored property: put it there")
      ])
      return []
    }
    requireInjectable(attribute, context)
    return []
  }
}

/// `@Inject` on an initialiser. Adds nothing: `@Injectable` reads it.
public struct InjectMacro: PeerMacro {
  public static func expansion(
    of attribute: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard declaration.is(InitializerDeclSyntax.self) else {
      context.report([
        Problem(
          at: attribute,
          "'@Inject' chooses an initialiser: properties are injected by it, and '@Injected' is the wrapper for one property"
        )
      ])
      return []
    }
    requireInjectable(attribute, context)
    return []
  }
}

/// Reports a marker in a type without `@Injectable`.
private func requireInjectable(_ attribute: AttributeSyntax, _ context: some MacroExpansionContext) {
  context.report(
    Problem.ineffective(attribute, without: "Injectable", which: "'@Injectable'", context).map { [$0] } ?? [])
}
