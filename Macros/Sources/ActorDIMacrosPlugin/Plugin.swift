import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct ActorDIMacrosPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [
    InjectableMacro.self, InjectMacro.self, MarkerMacro.self, InjectedParametersMacro.self, UnimplementedMacro.self,
    GraphMacro.self, GraphMarkerMacro.self,
  ]
}
