// expected: error: parameter 'value' has the generic type 'Value', which a container cannot know: let the caller pass it, 'ignoring: "value"'
import ActorDIMacros

@InjectedParameters func store<Value>(_ value: [Value], size: Int) {}
