import ActorDI
import ActorDIConfiguration
import Configuration
import Synchronization
import Testing

struct ServerSettings: Sendable, Equatable {
  var host: String
  var port: Int

  init(config: ConfigReader) throws {
    host = config.string(forKey: "host", default: "localhost")
    port = try config.requiredInt(forKey: "port")
  }
}

extension ServiceKey where Service == String {
  static var databaseURL: Self { .init("databaseURL") }
}

private struct Server: Sendable { let settings: ServerSettings }
private struct OutOfRange: Error {}

private func reader(_ values: [AbsoluteConfigKey: ConfigValue]) -> ConfigReader {
  ConfigReader(provider: InMemoryProvider(values: values))
}

extension ValidationError.Problem {
  fileprivate var text: String? { key as? String }
}

private func problems(in container: Container) -> [ValidationError.Problem] {
  do {
    try container.validate()
    return []
  } catch {
    return error.problems
  }
}

@Suite("Registrations from a configuration")
struct ConfigurationTests {
  private func makeContainer(_ config: ConfigReader, observer: (any ContainerObserver)? = nil) -> Container {
    Container(name: "app", configuration: .init(observers: observer.map { [$0] } ?? [])) {
      Registration(from: config.scoped(to: "http"), factory: ServerSettings.init)
      Registration(.databaseURL, from: config) { try $0.requiredString(forKey: "database.url", isSecret: true) }
      Registration(autowired: Server.self, initializer: Server.init)
    }
  }

  @Test func settingsAndSingleValuesAreServices() async throws {
    let container = makeContainer(reader(["http.host": "::1", "http.port": 8080, "database.url": "memory"]))
    try await container.validate()
    let settings = try await container.resolve(Server.self).settings
    #expect(settings.host == "::1" && settings.port == 8080)
    #expect(try await container.resolve(.databaseURL) == "memory")
  }

  @Test func missingValuesAreProblemsOfTheirLines() async throws {
    let line: UInt32 = #line
    let container = Container(name: "app") { [config = reader([:])] in
      Registration(from: config.scoped(to: "http"), factory: ServerSettings.init)
      Registration(.databaseURL, from: config) { try $0.requiredString(forKey: "database.url", isSecret: true) }
      Registration(Int.self, from: config, scope: .scoped("request")) { try $0.requiredInt(forKey: "limit") }
      Registration(Double?.self, from: config) { $0.double(forKey: "ratio") }
    }
    let problems = problems(in: container)
    #expect(problems.map(\.text) == ["http.port", "database.url", "limit"])
    #expect(problems.allSatisfy { $0.kind == .missingDependency && $0.service == ConfigurationValue.self })
    #expect(problems.map { $0.source.line - line } == [2, 3, 4])
    let text = """
      ConfigurationValue["database.url"] is not registered in container "app", but needed: \
      String["databaseURL"] -> ConfigurationValue["database.url"]. Register it, or take it as an optional.
      """
    #expect(problems[1].description.hasSuffix(text))
    #expect(container.dependencyGraph().mermaid.contains("http.port"))
    let error = await #expect(throws: (any Error).self) { try await container.resolve(ServerSettings.self) }
    #expect("\(error as Any)".contains("Missing required config value for key: http.port."))
  }

  @Test func valuesOfAnotherTypeAreProblems() {
    let config = ConfigReader(
      provider: EnvironmentVariablesProvider(environmentVariables: ["HTTP_PORT": "http", "LEVEL": "loud"]))
    enum Level: String { case low, high }
    let container = Container {
      Registration(from: config.scoped(to: "http"), factory: ServerSettings.init)
      Registration(Level.self, from: config) { try $0.requiredString(forKey: "level", as: Level.self) }
    }
    #expect(problems(in: container).map(\.text) == ["HTTP_PORT as int", "level as Level"])
  }

  @Test func otherErrorsAreThrownByTheStart() async throws {
    let container = Container { [config = reader(["port": 0])] in
      Registration(Int.self, from: config) {
        guard case let port = try $0.requiredInt(forKey: "port"), port > 0 else { throw OutOfRange() }
        return port
      }
      .eager()
    }
    try await container.validate()
    await #expect(throws: OutOfRange.self) { try await container.start() }
  }

  @Test func aValueIsReadOnceByItsScope() async throws {
    let provider = MutableInMemoryProvider(initialValues: ["level": 1])
    let config = ConfigReader(provider: provider)
    let container = Container {
      Registration(Int.self, from: config) { try $0.requiredInt(forKey: "level") }
      Registration(Int.self, from: config, scope: .scoped("request")) { try $0.requiredInt(forKey: "level") }
        .key("request")
    }
    let read: @Sendable () async throws -> [Int] = {
      try await container.withScope("request") { scope in
        [try await scope.resolve(Int.self), try await scope.resolve(Int.self, key: "request")]
      }
    }
    #expect(try await read() == [1, 1])
    provider.setValue(2, forKey: "level")
    #expect(try await read() == [1, 2])
    await container.reset()
    #expect(try await read() == [2, 2])
  }

  /// A value that appears after the registration is found by the build.
  @Test func aValueMayComeLater() async throws {
    let provider = MutableInMemoryProvider(initialValues: [:])
    let container = makeContainer(ConfigReader(provider: provider))
    provider.setValue(80, forKey: "http.port")
    #expect(try await container.resolve(ServerSettings.self).port == 80)
  }

  @Test(arguments: [true, false])
  func secretsAreNotPrinted(isMisplaced: Bool) async throws {
    let texts = Texts()
    let key: AbsoluteConfigKey = isMisplaced ? "http.port" : "database.url"
    var values: [AbsoluteConfigKey: ConfigValue] = ["http.port": 80, "database.url": "memory"]
    values[key] = ConfigValue("s3cret", isSecret: true)
    let container = makeContainer(
      ConfigReader(provider: InMemoryProvider(values: values), accessReporter: texts), observer: texts)
    texts.add(problems(in: container).flatMap { [$0.description, $0.diagnostic, "\($0)", "\($0.path)"] })
    let graph = container.dependencyGraph()
    texts.add([graph.mermaid, graph.dot, graph.json])
    do { texts.add("\(try await container.resolve(Server.self).settings)") } catch { texts.add("\(error)") }
    #expect(try await container.resolve(.databaseURL) == (isMisplaced ? "memory" : "s3cret"))
    texts.add(container.registrations.map { "\($0)" } + container.instances.map { "\($0)" } + ["\(container)"])
    do { try await container.validate(building: true) } catch { texts.add("\(error)") }
    try await container.shutdown()
    #expect(texts.all.contains { $0.contains("created String") })
    #expect(texts.all.contains { $0.contains("<REDACTED>") })
    #expect(texts.all.filter { $0.contains("s3cret") }.isEmpty)
  }
}

/// All texts that a container and its configuration print.
private final class Texts: ContainerObserver, AccessReporter {
  private let texts = Mutex<[String]>([])
  var all: [String] { texts.withLock { $0 } }

  func add(_ text: String) { texts.withLock { $0.append(text) } }
  func add(_ more: [String]) { texts.withLock { $0 += more } }
  func report(_ event: AccessEvent) { add("\(event)") }
  func container(_ container: Container, didRegister registration: RegistrationInfo) { add("\(registration)") }
  func container(_ container: Container, didEmit event: ContainerEvent) { add("\(event)") }
}
