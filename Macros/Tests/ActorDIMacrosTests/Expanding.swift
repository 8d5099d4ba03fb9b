import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import ActorDIMacrosPlugin

private let macros: [String: MacroSpec] = [
  "Injectable": MacroSpec(type: InjectableMacro.self),
  "Inject": MacroSpec(type: InjectMacro.self),
  "Key": MacroSpec(type: MarkerMacro.self),
  "Argument": MacroSpec(type: MarkerMacro.self),
  "Unimplemented": MacroSpec(type: UnimplementedMacro.self),
  "InjectedParameters": MacroSpec(type: InjectedParametersMacro.self),
  "Graph": MacroSpec(type: GraphMacro.self, conformances: ["ActorDIMacros.ServiceGraph"]),
  "Provides": MacroSpec(type: GraphMarkerMacro.self),
  "Include": MacroSpec(type: GraphMarkerMacro.self),
]

/// Compares the expansion of a source, its diagnostics, and the source after the fix-its, with the expected ones.
func expectExpansion(
  of source: String, _ expanded: String, diagnostics: [DiagnosticSpec] = [], applying fixIts: [String]? = nil,
  fixed: String? = nil, at location: Testing.SourceLocation = #_sourceLocation
) {
  assertMacroExpansion(
    source, expandedSource: expanded, diagnostics: diagnostics, macroSpecs: macros, applyFixIts: fixIts,
    fixedSource: fixed,
    testModuleName: "App", testFileName: "App.swift", indentationWidth: .spaces(2)
  ) { failure in
    Issue.record("\(failure.message)", sourceLocation: location)
  }
}
