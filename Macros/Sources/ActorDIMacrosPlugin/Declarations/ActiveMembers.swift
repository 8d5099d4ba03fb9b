import SwiftIfConfig
import SwiftSyntax
import SwiftSyntaxMacros

/// The members of a type, with those in the active clauses of `#if`.
struct ActiveMembers {
  private(set) var declarations: [DeclSyntax] = []
  private(set) var problems: [Problem] = []

  private let configuration: (any BuildConfiguration)?
  private let reads: (DeclSyntax) -> Bool

  /// - Parameter reads: Whether the macro reads a declaration. The others may stand under any condition.
  init(
    _ members: MemberBlockItemListSyntax, in context: some MacroExpansionContext,
    reading reads: @escaping (DeclSyntax) -> Bool
  ) {
    configuration = context.buildConfiguration
    self.reads = reads
    add(members)
  }

  private mutating func add(_ members: MemberBlockItemListSyntax) {
    for member in members {
      guard let condition = member.decl.as(IfConfigDeclSyntax.self) else {
        declarations.append(member.decl)
        continue
      }
      add(condition)
    }
  }

  private mutating func add(_ condition: IfConfigDeclSyntax) {
    if let (clause, diagnostics) = configuration.map({ condition.activeClause(in: $0) }),
      !diagnostics.contains(where: { $0.diagMessage.severity == .error })
    {
      if let clause { add(clause.members) }
    } else if condition.declarations.contains(where: reads) {
      problems.append(
        Problem(
          at: condition.clauses.first.map(\.poundKeyword) ?? condition.poundEndif,
          "a macro cannot evaluate this condition, such as 'canImport': put '#if' around the type, or into the body of a member"
        ))
    }
  }
}

extension IfConfigClauseSyntax {
  fileprivate var members: MemberBlockItemListSyntax {
    if case .decls(let members) = elements { members } else { [] }
  }
}

extension IfConfigDeclSyntax {
  /// The members in all clauses.
  fileprivate var declarations: [DeclSyntax] {
    clauses.flatMap(\.members).flatMap { member in
      member.decl.as(IfConfigDeclSyntax.self)?.declarations ?? [member.decl]
    }
  }
}
