import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Adds a test double beside a protocol.
public struct UnimplementedMacro: PeerMacro {
  public static func expansion(
    of attribute: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let type = declaration.as(ProtocolDeclSyntax.self) else {
      context.report([
        Problem(
          at: attribute, "'@Unimplemented' applies to a protocol: a double of another type has no requirements to meet")
      ])
      return []
    }
    if context.isLocal {
      context.report([
        Problem(
          at: attribute,
          "'\(type.name.text)' is local to a function, where Swift finds no double of a macro: "
            + "move it out of the function")
      ])
      return []
    }
    let access = context.access(ofMembersOf: type.modifiers)
    let error = attribute.list.first?.expression
    let requirements = RequirementReader(type, error: error, access: access, in: context)
    context.report(requirements.problems)
    guard requirements.problems.isEmpty else { return [] }
    return [
      """
      /// A test double each of whose members records that it was called.
      \(raw: type.modifiers.isPrivate ? "fileprivate " : type.modifiers.accessOfMembers)final class \(raw: type.nameOfDouble): \(raw: type.name.text), nonisolated ActorDIMacros.UnimplementedDouble {
      private let _record: @Sendable (String) -> Void

      \(raw: access)nonisolated init(record: @escaping @Sendable (String) -> Void) {
      _record = record
      }

      \(raw: requirements.members.joined(separator: "\n\n"))
      }
      """
    ]
  }
}
