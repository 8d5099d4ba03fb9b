import ActorDI
import Configuration
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore

@testable import NotesApp

/// The application with a database in a folder of its own, and requests to it.
struct TestServer {
  let app: Container
  let client: any TestClientProtocol

  /// Settings with a new database file.
  static func config(_ values: [AbsoluteConfigKey: ConfigValue] = [:]) -> ConfigReader {
    let file = FileManager.default.temporaryDirectory.appending(path: "notes-\(UUID())/notes.sqlite")
    return config(values, database: file.path(percentEncoded: false))
  }

  /// Settings with a database file.
  static func config(_ values: [AbsoluteConfigKey: ConfigValue] = [:], database path: String) -> ConfigReader {
    let own = InMemoryProvider(values: ["database.path": ConfigValue(.string(path), isSecret: false)])
    return ConfigReader(providers: [InMemoryProvider(values: values), own, Settings.defaults])
  }

  static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  static func container(
    _ config: ConfigReader = config(), observers: [any ContainerObserver] = [],
    clock: any Clock<Duration> = ContinuousClock()
  ) -> Container {
    makeContainer(config, logger: quiet, observers: observers, clock: clock)
  }

  /// Runs requests in this process, without a connection.
  static func run(
    _ app: Container = container(), _ body: @Sendable (TestServer) async throws -> Void
  ) async throws {
    try await Application(router: makeRouter(app), logger: quiet).test(.router) { client in
      try await body(TestServer(app: app, client: client))
    }
  }

  func send(
    _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, as user: User? = nil
  ) async throws -> TestResponse {
    var headers = HTTPFields()
    if let user { headers[.authorization] = "Bearer \(user.token)" }
    return try await client.executeRequest(
      uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
  }

  func addUser(_ name: String) async throws -> User {
    try await send(.post, "/users", #"{"name": "\#(name)"}"#).decoded()
  }

  func addNote(_ title: String, _ text: String = "", as user: User) async throws -> Note {
    try await send(.post, "/notes", #"{"title": "\#(title)", "text": "\#(text)"}"#, as: user).decoded()
  }

  func titles(_ path: String = "/notes", as user: User) async throws -> [String] {
    let notes: [Note] = try await send(.get, path, as: user).decoded()
    return notes.map(\.title)
  }

  func searches(as user: User) async throws -> [String] {
    try await send(.get, "/notes/searches", as: user).decoded()
  }
}

extension TestResponse {
  func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return try decoder.decode(type, from: Data(body.readableBytesView))
  }
}
