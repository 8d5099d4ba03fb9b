// flags: -default-isolation MainActor -enable-upcoming-feature NonisolatedNonsendingByDefault -enable-upcoming-feature ExistentialAny
// expected: nothing
import ActorDIMacros
import Observation

nonisolated protocol Store: Sendable {}

@Injectable(scope: .singleton) @Observable final class Model {
  let store: any Store
  var title = "untitled"
}

@Injectable(as: (any Store).self) nonisolated final class Files: Store {
  let number: Int
}

@Injectable final class Screen {
  @ObservationIgnored @Injected var model: Model
  let store: any Store
  init(store: any Store, @Key("lines") lines: Int, @Argument name: String) async throws { self.store = store }
}

@Injectable final class Query {
  let store: any Store
  nonisolated init(store: any Store, @Argument name: String) throws { self.store = store }
}

@Injectable actor Account {
  let store: any Store
  init(store: any Store, number: Int) throws { self.store = store }
}

@Injectable struct Row { let number: Int }

@InjectedParameters func show(model: Model) -> String { model.title }

func container() -> Container {
  Container {
    Model.registration
    Files.registration
    Screen.registration
    Query.registration
    Account.registration
    Row.registration
  }
}

func run() throws -> String { try show(from: container()) }

@Unimplemented protocol Printing: AnyObject { func show(_ text: String) throws }
@Unimplemented nonisolated protocol Mailer: Sendable { func send(_ text: String) throws }

nonisolated func make<Double: UnimplementedDouble>(_ type: Double.Type) -> Double { Double { _ in } }

nonisolated func doubles() async throws {
  try await make(UnimplementedPrinting.self).show("a")
  try make(UnimplementedMailer.self).send("a")
}
