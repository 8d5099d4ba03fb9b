import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Adds the registration of a type, and a memberwise initialiser if it needs one.
public struct InjectableMacro: MemberMacro {
  public static func expansion(
    of attribute: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let owner: Owner
    do {
      owner = try Owner(declaration, attribute, in: context)
    } catch {
      context.report([error.problem])
      return error.placeholder.map { [$0] } ?? []
    }
    if let noncopyable = owner.inherited.first(where: { $0.type.trimmedDescription == "~Copyable" }) {
      context.report([
        Problem(
          at: noncopyable, "'\(owner.name)' is noncopyable, but a container shares its instances: make it a class")
      ])
      return []
    }
    let arguments = InjectableArguments(attribute)
    let plan = InjectionPlan(owner, attribute)
    var problems = owner.problems + arguments.problems + plan.problems
    if arguments.isEager, let argument = plan.dependencies.first(where: \.isArgument) {
      problems.append(.eagerArgument(argument, of: "'\(owner.name)'"))
    }
    context.report(problems)

    if let existing = owner.existingRegistration {
      context.report([
        Problem(
          at: existing.bindings.first.map(Syntax.init) ?? Syntax(existing),
          "'\(owner.name)' already has a static member 'registration', which '@Injectable' adds: rename this one")
      ])
      return plan.memberwiseInitializer.map { [$0] } ?? []
    }
    let location = context.location(of: attribute, at: .afterLeadingTrivia, filePathMode: .fileID)
    let writer = RegistrationWriter(owner: owner, arguments: arguments, plan: plan, location: location)
    // After an error, the property stands with an empty body, so that its uses are no errors, too.
    let members = problems.contains { $0.severity == .error } ? [writer.placeholder] : writer.members
    return (plan.memberwiseInitializer.map { [$0] } ?? []) + members
  }
}

/// The initialiser to call, and its dependencies.
struct InjectionPlan {
  private(set) var initializer: InitializerDeclSyntax?
  private(set) var dependencies: [Dependency] = []
  private(set) var memberwiseInitializer: DeclSyntax?
  private(set) var problems: [Problem] = []

  init(_ owner: Owner, _ attribute: AttributeSyntax) {
    let choice = InitializerChoice(owner.members, of: owner.name, attribute)
    let properties = PropertyReader(owner.members)
    problems = choice.problems
    guard choice.hasNone else {
      initializer = choice.chosen
      problems += properties.markers.map { marker, name in
        Problem(
          at: marker,
          "'\(owner.name)' has an initialiser, so '@\(marker.name)' on property '\(name)' has no effect: "
            + "mark the initialiser's parameter instead",
          fixIts: [.remove(marker)])
      }
      guard let chosen = choice.chosen else { return }
      let reader = ParameterReader(chosen.signature.parameterClause.parameters)
      dependencies = reader.dependencies
      problems += reader.problems
      return
    }
    problems += properties.problems
    dependencies = properties.dependencies
    // A struct has a memberwise initialiser. A class without such properties has `init()`, or inherits it.
    guard owner.kind != .structure, !dependencies.isEmpty else { return }
    memberwiseInitializer = MemberwiseInitializer(properties: dependencies).declaration
  }
}
