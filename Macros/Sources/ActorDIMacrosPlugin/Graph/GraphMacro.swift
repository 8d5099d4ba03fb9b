import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Adds the registrations and the wiring of a graph, and the check that each dependency has a provider.
public struct GraphMacro: MemberMacro, ExtensionMacro {
  public static func expansion(
    of attribute: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    if let problem = misplacement(of: attribute, on: declaration, in: context) {
      context.report([problem])
      return []
    }
    let graph = try Owner(declaration, attribute, in: context)
    let reader = ProviderReader(graph.members, access: graph.access)
    let provisions = ProvisionWriter(reader, access: graph.access) { dependency in
      context.location(of: dependency.node, at: .afterLeadingTrivia, filePathMode: .filePath)
    }
    let problems = graph.problems + reader.problems + GraphCheck(reader.providers).problems + provisions.problems
    context.report(problems)
    let wiring = WiringWriter(graph, reader.providers)
    // After an error, the members stand with empty bodies, so that their uses are no errors, too.
    if problems.contains(where: { $0.severity == .error }) {
      let registrations: DeclSyntax =
        "\(raw: graph.access)nonisolated var registrations: ActorDI.Registrations { fatalError() }"
      return [
        registrations, "\(raw: graph.access)nonisolated protocol _Provisions: ActorDIMacros._ServiceProvisions {}",
      ]
        + wiring.placeholders
    }
    return registrations(of: graph, reader, context) + provisions.members + wiring.members
  }

  public static func expansion(
    of attribute: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard misplacement(of: attribute, on: declaration, in: context) == nil, !protocols.isEmpty else { return [] }
    return try protocols.map { try ExtensionDeclSyntax("extension \(type.trimmed): \($0.trimmed) {}") }
  }

  private static func misplacement(
    of attribute: AttributeSyntax, on declaration: some DeclGroupSyntax, in context: some MacroExpansionContext
  ) -> Problem? {
    guard let type = declaration.as(StructDeclSyntax.self) else {
      return Problem(at: attribute, "'@Graph' applies to a struct, whose methods are the providers: make it a struct")
    }
    let access = context.access(ofMembersOf: type.modifiers)
    if !access.isEmpty, type.attributes.globalActor == nil, !type.statesSendable {
      return Problem(
        at: type.name,
        "graph '\(type.name.text)' is \(access.dropLast()), so it must state that it is Sendable: add ': Sendable'",
        fixIts: [type.addingSendable])
    }
    if context.lexicalContext.contains(where: \.isGeneric) {
      return Problem(
        at: type.name,
        "graph '\(type.name.text)' stands in something generic, where Swift allows no protocols, which its check needs: "
          + "move it out")
    }
    guard let generic = type.genericParameterClause else { return nil }
    return Problem(
      at: generic,
      "graph '\(type.name.text)' is generic, so its providers return no certain services: use concrete types")
  }

  private static func registrations(
    of graph: Owner, _ reader: ProviderReader, _ context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    // The last registration of a service counts, so the graph's own providers replace those of the included graphs, as in a wiring.
    var list = reader.included.map { "  \($0.name).registrations" }
    var factories: [DeclSyntax] = []
    for (index, provider) in reader.providers.enumerated() {
      guard let function = provider.function else {
        let registration = "ActorDI.Registration(\(provider.service.inExpression).self, instance: \(provider.name))"
        let path = context.location(of: provider.node, at: .afterLeadingTrivia, filePathMode: .filePath)
        list += [registration].located(at: path)
        continue
      }
      let writer = FactoryWriter(
        // With `self`, because a provider may have the name of a parameter of the factory.
        service: provider.service.trimmedDescription, callee: "self.\(provider.name)", receiver: "self",
        names: ("_make\(index + 1)", "_make\(index + 1)Suspending"), modifiers: "\(function.isolation)private ",
        dependencies: provider.dependencies, isAsync: provider.isAsync, isThrowing: provider.isThrowing,
        isAsynchronous: provider.isAsync || isOnCustomActor(function, of: graph), scope: provider.scope,
        key: provider.key, isEager: provider.isEager,
        location: context.location(of: provider.node, at: .afterLeadingTrivia, filePathMode: .fileID))
      list.append(writer.registration)
      factories += writer.factories
    }
    let property: DeclSyntax = """
      /// The registrations of the providers, for a container or module.
      @ActorDI.RegistrationBuilder \(raw: graph.access)nonisolated var registrations: ActorDI.Registrations {
      \(raw: list.joined(separator: "\n"))
      }
      """
    return [property] + factories
  }

  /// Whether a provider runs on an actor of the user's, so that only asynchronous callers can call it.
  private static func isOnCustomActor(_ function: FunctionDeclSyntax, of graph: Owner) -> Bool {
    if function.modifiers.contains(.nonisolated) { return false }
    let actor = function.attributes.globalActor ?? graph.attributes.globalActor
    return actor.map { $0.name != "MainActor" } ?? false
  }
}

extension Syntax {
  fileprivate var isGeneric: Bool { asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil }
}

extension StructDeclSyntax {
  fileprivate var statesSendable: Bool {
    inheritanceClause?.inheritedTypes.contains {
      ["Sendable", "@unchecked Sendable"].contains($0.type.trimmedDescription)
    } ?? false
  }

  fileprivate var addingSendable: FixIt {
    let text = "add ': Sendable'"
    guard let last = inheritanceClause?.inheritedTypes.last else { return .insert(": Sendable", after: name, text) }
    return .insert(", Sendable", after: last, text)
  }
}

/// `@Provides` on a method and `@Include` on a property. Adds nothing: `@Graph` reads them.
public struct GraphMarkerMacro: PeerMacro {
  public static func expansion(
    of attribute: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let isOnRightKind =
      attribute.name == "Include"
      ? declaration.is(VariableDeclSyntax.self)
      : declaration.is(FunctionDeclSyntax.self) || declaration.is(VariableDeclSyntax.self)
    if !isOnRightKind {
      let kind = attribute.name == "Include" ? "a property that holds a graph" : "a method"
      context.report([Problem(at: attribute, "'@\(attribute.name)' marks \(kind): put it there")])
    } else if let problem = Problem.ineffective(attribute, without: "Graph", which: "a graph", context) {
      context.report([problem])
    }
    return []
  }
}
