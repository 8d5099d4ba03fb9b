import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Writes the static members that register a type.
struct RegistrationWriter {
  let owner: Owner
  let arguments: InjectableArguments
  let plan: InjectionPlan
  let location: AbstractSourceLocation?

  private static let converting = "_asService"

  var members: [DeclSyntax] {
    let writer = writer
    let property: DeclSyntax = """
      /// The registration of the type, for a container.
      \(raw: availability)\(raw: owner.access)nonisolated static var registration: ActorDI.Registration<\(raw: service)> {
      \(raw: writer.registration)
      }
      """
    return [property] + writer.factories + (conversion.map { [$0] } ?? [])
  }

  /// The property of a type with a mistake.
  var placeholder: DeclSyntax {
    "\(raw: owner.access)nonisolated static var registration: ActorDI.Registration<\(raw: service)> { fatalError() }"
  }

  private var writer: FactoryWriter {
    FactoryWriter(
      service: service, callee: owner.name, receiver: owner.name, names: ("_injected", "_injectedSuspending"),
      modifiers: "\(availability)\(isolation)private static ", dependencies: plan.dependencies, isAsync: isAsync,
      isThrowing: plan.initializer?.isThrowing ?? false, isAsynchronous: isAsynchronous, scope: arguments.scope,
      key: arguments.key, isEager: arguments.isEager, location: location,
      conversion: arguments.service == nil ? nil : Self.converting)
  }

  /// The `@available` attributes of the initialiser, with a space each: what calls it is available where it is.
  private var availability: String {
    let attributes = plan.initializer?.attributes.attributes.filter { $0.name == "available" } ?? []
    return attributes.map { "\($0.trimmed) " }.joined()
  }

  private var isFailable: Bool { plan.initializer?.optionalMark != nil }
  private var isAsync: Bool { plan.initializer?.isAsync ?? false }

  /// Whether only asynchronous callers can run the initialiser.
  private var isAsynchronous: Bool {
    if let isolation = arguments.isolation { return isAsync || isolation != "MainActor" }
    return isAsync || owner.customActor(of: plan.initializer) != nil
  }

  /// The type that the registration is for, as a type. A failable initialiser makes an optional.
  private var service: String {
    guard let service = arguments.service else { return product }
    return isFailable ? "\(service)?" : service
  }

  private var product: String { isFailable ? "\(owner.name)?" : owner.name }

  /// Converts an instance to the service type, in one place: a type that does not conform is one error.
  private var conversion: DeclSyntax? {
    guard arguments.service != nil else { return nil }
    return """
      nonisolated private static func \(raw: Self.converting)(_ instance: sending \(raw: product)) -> sending \(raw: service) {
        instance
      }
      """
  }

  /// The isolation of the initialiser, where it differs from the type's.
  private var isolation: String {
    if let isolation = arguments.isolation { return "@\(isolation) " }
    if let own = plan.initializer?.isolation, !own.isEmpty { return own }
    return owner.kind == .actor ? "nonisolated " : ""
  }
}
