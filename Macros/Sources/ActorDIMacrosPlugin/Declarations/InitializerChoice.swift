import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// Chooses the initialiser that the container calls.
struct InitializerChoice {
  private(set) var chosen: InitializerDeclSyntax?
  private(set) var problems: [Problem] = []
  /// Whether the type declares no initialiser at all.
  let hasNone: Bool

  /// - Parameter type: The name of the type, for messages.
  init(_ members: [DeclSyntax], of type: String, _ attribute: AttributeSyntax) {
    let all = members.compactMap { $0.as(InitializerDeclSyntax.self) }
    hasNone = all.isEmpty
    guard !hasNone else { return }
    let marked = all.filter { $0.attributes.named("Inject") != nil }
    if marked.count > 1 {
      problems = marked.dropFirst().map { other in
        Problem(
          at: other.initKeyword, "'\(type)' has several initialisers marked '@Inject': keep the marker on one",
          fixIts: other.attributes.named("Inject").map { [.remove($0)] } ?? [],
          notes: [Note(at: marked[0].initKeyword, "the first one is here")])
      }
      chosen = marked[0]
      return
    }
    if let only = marked.first {
      chosen = only
    } else {
      chooseUnmarked(all, type, attribute)
    }
    if let chosen { check(chosen, type) }
  }

  private mutating func chooseUnmarked(_ all: [InitializerDeclSyntax], _ type: String, _ attribute: AttributeSyntax) {
    let visible = all.filter { !$0.modifiers.isPrivate }
    switch visible.count {
    case 1: chosen = visible[0]
    case 0:
      problems = [
        Problem(
          at: all[0].initKeyword,
          "\(all.count == 1 ? "the initialiser" : "every initialiser") of '\(type)' is private: "
            + "mark the one for the container with '@Inject', or make it internal",
          fixIts: all.map(\.marking))
      ]
    default:
      problems = [
        Problem(
          at: attribute, "'\(type)' has \(visible.count) initialisers: mark the one for the container with '@Inject'",
          fixIts: visible.map(\.marking), notes: visible.map { Note(at: $0.initKeyword, "this one: \($0.brief)") })
      ]
    }
  }

  private mutating func check(_ initializer: InitializerDeclSyntax, _ type: String) {
    if let generic = initializer.genericParameterClause {
      problems.append(
        Problem(
          at: generic,
          "the initialiser of '\(type)' is generic, so its parameters have no certain types to resolve: "
            + "use concrete types, or make the type generic"))
    } else if let requirements = initializer.genericWhereClause {
      problems.append(
        Problem(
          at: requirements,
          "the initialiser of '\(type)' exists only '\(requirements.trimmed)', but the macro registers each '\(type)': "
            + "remove the condition, or write the registration by hand"))
    }
  }
}

extension InitializerDeclSyntax {
  /// The initialiser's name with its labels: `init(store:cache:)`.
  fileprivate var brief: String {
    "init(" + signature.parameterClause.parameters.map { "\($0.firstName.text):" }.joined() + ")"
  }

  /// Marks the initialiser for the container.
  fileprivate var marking: FixIt { .insert("@Inject ", before: self, "mark \(brief) with '@Inject'") }

  var isAsync: Bool { signature.effectSpecifiers?.asyncSpecifier != nil }
  var isThrowing: Bool { signature.effectSpecifiers?.throwsClause != nil }
}
