// The initialiser is isolated to an actor that the registration does not name.
// expected: error: converting function value of type '@DatabaseActor .*' to '.*' loses global actor 'DatabaseActor'
import ActorDI

@globalActor actor DatabaseActor {
  static let shared = DatabaseActor()
}
@DatabaseActor final class Database {
  init(size: Int) {}
}

let registration = Registration(autowired: Database.self, initializer: Database.init(size:))
