// expected: error: graph 'Core' is package, so it must state that it is Sendable: add ': Sendable'
// flags: -package-name App
import ActorDIMacros

@Graph package struct Core {}
