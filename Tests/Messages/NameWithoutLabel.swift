// The name of a container has a label.
// expected: error: 'init\(_:parent:configuration:_:\)' is unavailable: the name has a label: Container\(name: …\)
// unexpected: cannot convert value of type 'String'
import ActorDI

let container = Container("app") {
  Registration(Int.self) { _ in 3 }
}
