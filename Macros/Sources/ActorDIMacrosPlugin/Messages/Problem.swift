import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// A mistake in the source: what is wrong, where, and what to write.
struct Problem {
  let node: Syntax
  let text: String
  var severity = DiagnosticSeverity.error
  var fixIts: [FixIt] = []
  var notes: [Note] = []

  init(at node: some SyntaxProtocol, _ text: String, fixIts: [FixIt] = [], notes: [Note] = []) {
    self.node = Syntax(node)
    self.text = text
    self.fixIts = fixIts
    self.notes = notes
  }

  var diagnostic: Diagnostic {
    Diagnostic(node: node, message: Message(text: text, severity: severity), notes: notes, fixIts: fixIts)
  }

  private struct Message: DiagnosticMessage {
    let text: String
    let severity: DiagnosticSeverity
    var message: String { text }
    var diagnosticID: MessageID { MessageID(domain: "ActorDIMacros", id: text) }
  }
}

private struct MessageText: FixItMessage, NoteMessage {
  let message: String
  var fixItID: MessageID { MessageID(domain: "ActorDIMacros", id: message) }
  var noteID: MessageID { fixItID }
}

// Each change is one of text, because one of nodes replaces the comments and line breaks around them, too.
extension FixIt {
  /// Replaces a node.
  static func replace(_ old: some SyntaxProtocol, with new: String, _ text: String) -> FixIt {
    change(old, from: old.positionAfterSkippingLeadingTrivia, to: old.endPositionBeforeTrailingTrivia, new, text)
  }

  /// Inserts text in front of a node.
  static func insert(_ new: String, before node: some SyntaxProtocol, _ text: String) -> FixIt {
    let start = node.positionAfterSkippingLeadingTrivia
    return change(node, from: start, to: start, new, text)
  }

  /// Inserts text behind a node.
  static func insert(_ new: String, after node: some SyntaxProtocol, _ text: String) -> FixIt {
    let end = node.endPositionBeforeTrailingTrivia
    return change(node, from: end, to: end, new, text)
  }

  /// Removes a marker.
  static func remove(_ attribute: AttributeSyntax) -> FixIt {
    change(
      attribute, from: attribute.positionAfterSkippingLeadingTrivia, to: attribute.endPosition, "",
      "remove '@\(attribute.name)'")
  }

  private static func change(
    _ node: some SyntaxProtocol, from start: AbsolutePosition, to end: AbsolutePosition, _ new: String, _ text: String
  ) -> FixIt {
    FixIt(
      message: MessageText(message: text), changes: [.replaceText(range: start..<end, with: new, in: Syntax(node))])
  }
}

extension Note {
  init(at node: some SyntaxProtocol, _ text: String) {
    self.init(node: Syntax(node), message: MessageText(message: text))
  }
}

extension MacroExpansionContext {
  func report(_ problems: [Problem]) {
    for problem in problems { diagnose(problem.diagnostic) }
  }
}

extension Problem {
  /// A marker in a type without the macro that reads it; nil in a type with the macro.
  ///
  /// - Parameters:
  ///   - macro: The name of the macro that reads the marker.
  ///   - kind: What a type with the macro is.
  ///   - context: The context of the marker's expansion.
  static func ineffective(
    _ attribute: AttributeSyntax, without macro: String, which kind: String, _ context: some MacroExpansionContext
  ) -> Problem? {
    guard let type = context.lexicalContext.first else { return nil }
    guard let group = type.asProtocol((any DeclGroupSyntax).self), !type.is(ExtensionDeclSyntax.self) else {
      return Problem(
        at: attribute,
        "'@\(attribute.name)' has no effect here: '@\(macro)' sees only what the type's own declaration contains")
    }
    guard group.attributes.named(macro) == nil else { return nil }
    let name = type.asProtocol((any NamedDeclSyntax).self)?.name.text ?? "the type"
    return Problem(
      at: attribute,
      "'@\(attribute.name)' has no effect, because '\(name)' is not \(kind): add '@\(macro)' to it")
  }
}
