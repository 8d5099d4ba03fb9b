import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Writes the static members that register a type.
///
/// The factories are static functions of the type rather than closures. Unannotated, they get the isolation of the type, which only the
/// compiler knows: it may come from a superclass, a protocol or the default isolation of the target.
struct RegistrationWriter {
  let owner: Owner
  let arguments: InjectableArguments
  let plan: InjectionPlan
  let location: AbstractSourceLocation?

  private static let synchronous = "_injected"
  private static let asynchronous = "_injectedSuspending"
  private static let converting = "_asService"

  var members: [DeclSyntax] {
    var members = [property]
    if !isAsynchronous { members.append(factory(suspending: false)) }
    if isAsynchronous || hasSuspendingForm { members.append(factory(suspending: true)) }
    if let conversion { members.append(conversion) }
    return members
  }

  /// The property of a type with a mistake.
  var placeholder: DeclSyntax {
    "\(raw: owner.access)nonisolated static var registration: ActorDI.Registration<\(raw: service)> { fatalError() }"
  }

  // MARK: - Forms

  private var isFailable: Bool { plan.initializer?.optionalMark != nil }
  private var isAsync: Bool { plan.initializer?.isAsync ?? false }
  private var isThrowing: Bool { plan.initializer?.isThrowing ?? false }
  private var resolves: Bool { plan.dependencies.contains(where: \.isResolved) }

  /// Whether only asynchronous callers can run the initialiser.
  private var isAsynchronous: Bool {
    if let isolation = arguments.isolation { return isAsync || isolation != "MainActor" }
    return isAsync || owner.customActor(of: plan.initializer) != nil
  }

  /// Whether a dependency may make a synchronous initialiser wait.
  private var hasSuspendingForm: Bool { !isAsynchronous && resolves }

  /// The type that the registration is for, as a type. A failable initialiser makes an optional.
  private var service: String {
    guard let service = arguments.service else { return product }
    return isFailable ? "\(service)?" : service
  }

  private var product: String { isFailable ? "\(owner.name)?" : owner.name }

  private var runTimeArguments: [(name: String, type: TypeSyntax)] {
    plan.dependencies.filter(\.isArgument).enumerated().map { ("argument\($0 + 1)", $1.type.ofValue) }
  }

  // MARK: - Property

  private var property: DeclSyntax {
    var lines = ["ActorDI.Registration("]
    var list = ["\(TypeSyntax("\(raw: service)").inExpression).self"]
    if let scope = arguments.scope { list.append("scope: \(scope.trimmed)") }
    list.append("factory: \(isAsynchronous ? forwarding(Self.asynchronous) : "\(owner.name).\(Self.synchronous)")")
    if let location { list.append("fileID: \(location.file), line: \(location.line)") }
    lines[0] += list.joined(separator: ", ") + ")"
    if hasSuspendingForm { lines.append(".suspending \(forwarding(Self.asynchronous))") }
    lines += plan.dependencies.declared()
    if let key = arguments.key { lines.append(".key(\(key.trimmed))") }
    if arguments.isEager { lines.append(".eager()") }
    let body = lines.enumerated().map { $0 == 0 ? "  \($1)" : "    \($1)" }.joined(separator: "\n")
    return """
      /// The registration of the type, for a container.
      \(raw: owner.access)nonisolated static var registration: ActorDI.Registration<\(raw: service)> {
      \(raw: body)
      }
      """
  }

  /// A closure that calls a factory function, on whatever actor it is.
  private func forwarding(_ function: String) -> String {
    let names = ["resolver"] + runTimeArguments.map(\.name)
    let types = runTimeArguments.map { "\($0.name): \($0.type)" }
    let parameters = types.isEmpty ? "resolver" : "(resolver, \(types.joined(separator: ", ")))"
    return "{ \(parameters) in try await \(owner.name).\(function)(\(names.joined(separator: ", "))) }"
  }

  // MARK: - Factories

  /// Converts an instance to the service type, in one place: a type that does not conform is one error.
  private var conversion: DeclSyntax? {
    guard arguments.service != nil else { return nil }
    return """
      nonisolated private static func \(raw: Self.converting)(_ instance: sending \(raw: product)) -> sending \(raw: service) {
        instance
      }
      """
  }

  private func factory(suspending: Bool) -> DeclSyntax {
    let parameters = ["_ resolver: ActorDI.Resolver"] + runTimeArguments.map { "_ \($0.name): \($0.type)" }
    let effects = suspending ? "async throws" : "throws"
    return """
      \(raw: isolation)private static func \(raw: suspending ? Self.asynchronous : Self.synchronous)(\
      \(raw: parameters.joined(separator: ", "))) \(raw: effects) -> sending \(raw: service) {
        \(raw: call(suspending: suspending))
      }
      """
  }

  /// The isolation of the initialiser, where it differs from the type's.
  private var isolation: String {
    if let isolation = arguments.isolation { return "@\(isolation) " }
    if owner.kind == .actor { return "nonisolated " }
    guard let initializer = plan.initializer else { return "" }
    if let actor = initializer.attributes.globalActor { return "@\(actor.attributeName.trimmed) " }
    return initializer.modifiers.contains(.nonisolated) ? "nonisolated " : ""
  }

  private func call(suspending: Bool) -> String {
    var position = 0
    let list = plan.dependencies.filter { !$0.isLeftOut }.map { dependency in
      if dependency.isArgument {
        position += 1
        return "\(dependency.labelText)argument\(position)"
      }
      return dependency.labelText + dependency.resolving(from: "resolver")
    }
    let isTrying = resolves || isThrowing
    let isAwaiting = suspending && (resolves || isAsync)
    let made = "\(isTrying ? "try " : "")\(isAwaiting ? "await " : "")\(owner.name)(\(list.joined(separator: ", ")))"
    return arguments.service == nil ? made : "\(Self.converting)(\(made))"
  }
}
