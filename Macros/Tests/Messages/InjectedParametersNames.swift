// expected: nothing
import ActorDIMacros

final class Service: Sendable {}
struct Box: Sendable {}

struct Uploads: Sendable {
  @InjectedParameters(ignoring: "upload", "size") func upload(_ upload: String, size: Int, service: Service) {}
  @InjectedParameters(ignoring: "container") func container(container: Int, service: Service) -> Int { container }
  @InjectedParameters func box(service: Service) -> Box { Box() }
  @InjectedParameters(ignoring: "default", "for") func choose(default: Int, for: inout String, service: Service) {}
  @InjectedParameters(ignoring: "in") func `repeat`(in: Int, service: Service) {}
}

@InjectedParameters(ignoring: "store") func store(store: @autoclosure () -> String, _ service: Service) -> String {
  store()
}

@Graph struct Wired {
  let service: Service
  @Provides func box(@Argument default: Int, @Argument in place: String, service: Service) -> Box { Box() }
  @Provides(scope: .singleton) func graph(service: Service) -> [Int] { [] }
}

func use(_ uploads: Uploads) throws {
  var text = ""
  try uploads.upload("a", size: 1)
  _ = try uploads.container(container: 1)
  try uploads.choose(default: 1, for: &text)
  try uploads.repeat(in: 1)
  _ = try store(store: "a")
  _ = Wired(service: Service()).wired().box(default: 1, in: "a")
}
