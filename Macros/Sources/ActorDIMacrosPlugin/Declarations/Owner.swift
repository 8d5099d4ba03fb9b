import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// The type that carries the macro.
struct Owner {
  let name: String
  let kind: Kind
  let attributes: AttributeListSyntax
  /// The access modifier of a member that is as visible as the type, with a space.
  let access: String
  let members: [DeclSyntax]
  /// The problems of the members' conditions.
  let problems: [Problem]
  let inherited: InheritedTypeListSyntax

  enum Kind: String {
    case structure = "struct"
    case classType = "class"
    case actor
  }

  /// Reads a class, struct or actor. Other declarations are problems.
  ///
  /// - Throws: The ``Misplacement`` of the attribute.
  init(
    _ declaration: some DeclGroupSyntax, _ attribute: AttributeSyntax, in context: some MacroExpansionContext
  ) throws(Misplacement) {
    if let type = declaration.as(ClassDeclSyntax.self) {
      (name, kind) = (type.name.text, .classType)
    } else if let type = declaration.as(StructDeclSyntax.self) {
      (name, kind) = (type.name.text, .structure)
    } else if let type = declaration.as(ActorDeclSyntax.self) {
      (name, kind) = (type.name.text, .actor)
    } else {
      throw Misplacement(declaration, attribute)
    }
    attributes = declaration.attributes
    access = context.access(ofMembersOf: declaration.modifiers)
    let active = ActiveMembers(declaration.memberBlock.members, in: context) { $0.isProviderOrPart }
    (members, problems) = (active.declarations, active.problems)
    inherited = declaration.inheritanceClause?.inheritedTypes ?? []
  }

  /// The user's global actor of the type or of its initialiser; nil for the main actor and for none.
  func customActor(of initializer: InitializerDeclSyntax?) -> AttributeSyntax? {
    if let initializer {
      if let own = initializer.attributes.globalActor { return own.name == "MainActor" ? nil : own }
      if initializer.modifiers.contains(.nonisolated) { return nil }
    }
    guard let actor = attributes.globalActor, actor.name != "MainActor" else { return nil }
    return actor
  }

  /// The static member `registration` that the user has declared, if any.
  var existingRegistration: VariableDeclSyntax? {
    members.lazy.compactMap { $0.as(VariableDeclSyntax.self) }.first { variable in
      variable.modifiers.isStatic
        && variable.bindings.contains { $0.pattern.trimmedDescription == "registration" }
    }
  }
}

extension DeclSyntax {
  /// Whether the declaration is an initialiser, a stored property or a provider.
  fileprivate var isProviderOrPart: Bool {
    if let function = self.as(FunctionDeclSyntax.self) { return function.attributes.named("Provides") != nil }
    if let variable = self.as(VariableDeclSyntax.self) {
      return !variable.modifiers.isStatic && variable.bindings.contains { !$0.isComputed }
    }
    return self.is(InitializerDeclSyntax.self)
  }
}

/// A declaration that cannot have the macro.
struct Misplacement: Error {
  let problem: Problem
  /// The property that the uses of the type expect, so that they are no errors, too.
  private(set) var placeholder: DeclSyntax?

  init(_ declaration: some DeclGroupSyntax, _ attribute: AttributeSyntax) {
    let text: String
    var name: String?
    if let type = declaration.as(EnumDeclSyntax.self) {
      name = type.name.text
      text =
        "'\(type.name.text)' is an enum, which has no initialiser for a container to call: "
        + "write 'Registration(\(type.name.text).self) { _ in … }'"
    } else if let type = declaration.as(ProtocolDeclSyntax.self) {
      text =
        "'\(type.name.text)' is a protocol: put '@Injectable(as: (any \(type.name.text)).self)' on the type that conforms to it"
    } else if let other = declaration.as(ExtensionDeclSyntax.self) {
      name = other.extendedType.trimmedDescription
      text =
        "'@Injectable' needs to see the initialisers and properties of '\(other.extendedType.trimmed)': "
        + "move it from the extension to the type's declaration"
    } else {
      text = "'@Injectable' applies to a class, struct or actor"
    }
    problem = Problem(at: attribute, text)
    placeholder = name.map { "nonisolated static var registration: ActorDI.Registration<\(raw: $0)> { fatalError() }" }
  }
}
