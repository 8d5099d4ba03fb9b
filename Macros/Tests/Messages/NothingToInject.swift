// expected: error: no parameter of 'store' is left for a container to supply: remove '@InjectedParameters'
import ActorDIMacros

@InjectedParameters(ignoring: "file") func store(file: String) {}
