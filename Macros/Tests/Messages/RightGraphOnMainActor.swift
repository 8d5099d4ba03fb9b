// expected: nothing
// flags: -default-isolation MainActor
import ActorDIMacros

final class Model { let number: Int; init(number: Int) { self.number = number } }

@Graph struct AppGraph {
  let number: Int
  @Provides(scope: .singleton) func model(number: Int) -> Model { Model(number: number) }
  @Provides func text(model: Model) -> String { "\(model.number)" }
}

func makeText() throws -> String {
  let container = Container { AppGraph(number: 7).registrations }
  return try container.resolve(String.self) + AppGraph(number: 7).wired().text()
}

@MainActor @Graph struct Explicit {
  let number: Int
  @Provides func model(number: Int) -> Model { Model(number: number) }
}
