import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Writes the registration of a service that an initialiser or method makes, and the factory functions for it.
///
/// The factories are functions rather than closures. Unannotated, they get the isolation of the type, which only the compiler knows: it
/// may come from a superclass, a protocol or the default isolation of the target.
struct FactoryWriter {
  /// The service type.
  let service: String
  /// What makes the service: a type, or a method.
  let callee: String
  /// What has the factory functions, in front of a dot: a type, or `self`.
  let receiver: String
  /// The names of the factory functions.
  let names: (synchronous: String, asynchronous: String)
  /// The modifiers of the factory functions.
  let modifiers: String
  let dependencies: [Dependency]
  let isAsync: Bool
  let isThrowing: Bool
  /// Whether only asynchronous callers can run the factory.
  let isAsynchronous: Bool
  let scope: ExprSyntax?
  let key: ExprSyntax?
  let isEager: Bool
  let location: AbstractSourceLocation?
  /// The function that converts the product to the service type.
  var conversion: String?

  private var resolves: Bool { dependencies.contains(where: \.isResolved) }

  /// Whether a dependency may make a synchronous factory wait.
  private var hasSuspendingForm: Bool { !isAsynchronous && resolves }

  private var runTimeArguments: [(name: String, type: String)] {
    dependencies.filter(\.isArgument).enumerated().map { ("argument\($0 + 1)", $1.type.inParameter) }
  }

  // MARK: - Registration

  /// The registration, an expression.
  var registration: String {
    var lines = ["ActorDI.Registration("]
    var list = ["\(TypeSyntax("\(raw: service)").inExpression).self"]
    if let scope { list.append("scope: \(scope.trimmed)") }
    let label = isAsynchronous || runTimeArguments.isEmpty ? "factory" : "_taking"
    list.append("\(label): \(isAsynchronous ? forwarding : "\(receiver).\(names.synchronous)")")
    if let location { list.append("fileID: \(location.file), line: \(location.line)") }
    lines[0] += list.joined(separator: ", ") + ")"
    if hasSuspendingForm { lines.append(".suspending \(forwarding)") }
    lines += dependencies.declared()
    if let key { lines.append(".key(\(key.trimmed))") }
    if isEager { lines.append(".eager()") }
    return lines.enumerated().map { $0 == 0 ? "  \($1)" : "    \($1)" }.joined(separator: "\n")
  }

  /// A closure that calls the asynchronous factory function, on whatever actor it is.
  private var forwarding: String {
    let list = ["resolver"] + runTimeArguments.map(\.name)
    let types = runTimeArguments.map { "\($0.name): \($0.type)" }
    let parameters = types.isEmpty ? "resolver" : "(resolver, \(types.joined(separator: ", ")))"
    return "{ \(parameters) in try await \(receiver).\(names.asynchronous)(\(list.joined(separator: ", "))) }"
  }

  // MARK: - Factories

  var factories: [DeclSyntax] {
    var factories: [DeclSyntax] = []
    if !isAsynchronous { factories.append(factory(suspending: false)) }
    if isAsynchronous || hasSuspendingForm { factories.append(factory(suspending: true)) }
    return factories
  }

  private func factory(suspending: Bool) -> DeclSyntax {
    let parameters =
      ["_ resolver: ActorDI.Resolver"]
      + runTimeArguments.map { "_ \($0.name): \($0.type)" }
    let effects = suspending ? "async throws" : "throws"
    return """
      \(raw: modifiers)func \(raw: suspending ? names.asynchronous : names.synchronous)(\
      \(raw: parameters.joined(separator: ", "))) \(raw: effects) -> sending \(raw: service) {
        \(raw: call(suspending: suspending))
      }
      """
  }

  private func call(suspending: Bool) -> String {
    var position = 0
    let list = dependencies.filter { !$0.isLeftOut }.map { dependency in
      if dependency.isArgument {
        position += 1
        return "\(dependency.labelText)argument\(position)"
      }
      return dependency.labelText + dependency.resolving(from: "resolver")
    }
    let isTrying = resolves || isThrowing
    let isAwaiting = suspending && (resolves || isAsync)
    let made = "\(isTrying ? "try " : "")\(isAwaiting ? "await " : "")\(callee)(\(list.joined(separator: ", ")))"
    return conversion.map { "\($0)(\(made))" } ?? made
  }
}
