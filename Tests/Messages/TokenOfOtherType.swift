// The factory makes another type than the token names.
// expected: error: cannot convert value of type 'Int' to closure result type 'String'
import ActorDI

extension ServiceKey where Service == String { static var name: Self { Self("name") } }
let container = Container {
  Registration(.name) { _ in 3 }
}
