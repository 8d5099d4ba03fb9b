import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// A function or an initialiser.
struct Callable {
  let name: String
  let attributes: AttributeListSyntax
  let modifiers: DeclModifierListSyntax
  let signature: FunctionSignatureSyntax
  let generics: GenericParameterClauseSyntax?
  let requirements: GenericWhereClauseSyntax?
  /// For an initialiser, its mark: `?`, `!` or nothing. Nil for a function.
  let initializerMark: String?
  /// Whether an initialiser that calls another one must be marked `convenience`.
  let isOfClass: Bool

  var parameters: FunctionParameterListSyntax { signature.parameterClause.parameters }
  var isAsync: Bool { signature.effectSpecifiers?.asyncSpecifier != nil }

  init?(_ declaration: some DeclSyntaxProtocol, in context: [Syntax]) {
    if let function = declaration.as(FunctionDeclSyntax.self) {
      name = function.name.text
      (attributes, modifiers, signature) = (function.attributes, function.modifiers, function.signature)
      (generics, requirements) = (function.genericParameterClause, function.genericWhereClause)
      (initializerMark, isOfClass) = (nil, false)
    } else if let initializer = declaration.as(InitializerDeclSyntax.self) {
      name = "init"
      (attributes, modifiers, signature) = (initializer.attributes, initializer.modifiers, initializer.signature)
      (generics, requirements) = (initializer.genericParameterClause, initializer.genericWhereClause)
      initializerMark = initializer.optionalMark?.text ?? ""
      isOfClass = initializer.modifiers.contains(.convenience) || context.first?.is(ClassDeclSyntax.self) == true
    } else {
      return nil
    }
  }

  /// The reasons why an overload cannot pass or resolve a parameter.
  func problems(with dependencies: [Dependency]) -> [Problem] {
    let names = Set(generics?.parameters.map(\.name.text) ?? [])
    return zip(parameters, dependencies).compactMap { parameter, dependency in
      if dependency.isResolved {
        let generic = parameter.type.tokens(viewMode: .sourceAccurate).first { names.contains($0.text) }
        return generic.map {
          Problem(
            at: parameter.type,
            "parameter '\(dependency.name)' has the generic type '\($0.text)', which a container cannot know: "
              + "let the caller pass it, 'ignoring: \"\(dependency.name)\"'")
        }
      }
      guard dependency.isArgument, parameter.ellipsis != nil else { return nil }
      return Problem(
        at: parameter.type,
        "parameter '\(dependency.name)' is variadic, and Swift cannot pass it on: take an array, '[\(parameter.type.trimmed)]'"
      )
    }
  }
}
