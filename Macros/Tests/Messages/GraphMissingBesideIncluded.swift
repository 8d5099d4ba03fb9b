// expected: GraphMissingBesideIncluded.swift:11:
// expected: error: 'provider(of:)' is unavailable: no provider of the graph returns the type of this parameter
import ActorDIMacros

@Graph struct Core {
  @Provides func number() -> Int { 42 }
}

@Graph struct AppGraph {
  @Include let core: Core
  @Provides func text(number: Int, factor: Double) -> String { "\(Double(number) * factor)" }
}
