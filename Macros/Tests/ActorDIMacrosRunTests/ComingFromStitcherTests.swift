import ActorDIMacros
import Testing

// The examples of the article "Coming from Stitcher".

private protocol Uploading: Sendable { var target: String { get } }

private struct Uploader: Uploading { var target = "main" }

private final class Uploads: Sendable {
  @InjectedParameters(ignoring: "file")
  func upload(file: String, uploader: any Uploading) async -> String { "\(file) to \(uploader.target)" }
}

@Injectable(scope: .singleton, key: "history")
private final class History: Sendable {
  let target: String
  @Inject init(@Key("avatars") uploader: any Uploading) async throws { target = uploader.target }
  init() { target = "none" }
}

@Suite("Coming from Stitcher")
struct ComingFromStitcherTests {
  @Test func injectsParametersAndRegistersTypes() async throws {
    let container = Container {
      History.registration
      Registration((any Uploading).self) { _ in Uploader() }
      Registration((any Uploading).self) { _ in Uploader(target: "avatars") }.key("avatars")
    }
    #expect(try await Uploads().upload(file: "a", from: container) == "a to main")
    #expect(try await container.resolve(History.self, key: "history").target == "avatars")
  }
}
