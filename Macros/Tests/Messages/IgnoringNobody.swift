// expected: error: there is no parameter 'fiel': did you mean 'file'?
import ActorDIMacros

@InjectedParameters(ignoring: "fiel") func store(file: String, size: Int) {}
