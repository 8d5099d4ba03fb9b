import ActorDITestSupport
import ActorDITesting
import Foundation
import Observation
import Testing

@testable import ActorDI

/// The server of the live values.
actor WeatherServer {
  static let shared = WeatherServer()
  private(set) var posts: [String] = []
  private init() {}
  init(host: String) async throws { await Task.yield() }
  func temperature(in city: String) throws -> Int { 15 }
  func post(_ text: String) throws { posts.append(text) }
}

// snippet: dependencies entry
struct Entry: Equatable {
  let id: String
  let date: Date
  let degrees: Int
}
// end

// snippet: dependencies client
struct WeatherClient: Sendable {
  var temperature: @Sendable (_ city: String) async throws -> Int
  var report: @Sendable (_ text: String) async throws -> Void
}

extension WeatherClient {
  static let live = WeatherClient(
    temperature: { city in try await WeatherServer.shared.temperature(in: city) },
    report: { text in try await WeatherServer.shared.post(text) })
  static let preview = WeatherClient(temperature: { _ in 21 }, report: { _ in })
}

extension ServiceKey where Service == WeatherClient {
  static var weather: Self { Self("weather") { Registration(instance: .live) } }
}
// end

// snippet: dependencies model
@MainActor @Observable final class Forecast {
  private(set) var entries: [Entry] = []
  @ObservationIgnored @Injected(.weather) var weather
  @ObservationIgnored @Injected(.clock) var clock
  @ObservationIgnored @Injected(.date) var date
  @ObservationIgnored @Injected(.newID) var newID

  func refresh(_ city: String) async throws {
    try await clock.sleep(for: .seconds(1))
    let degrees = try await weather.temperature(city)
    entries.append(Entry(id: newID(), date: date(), degrees: degrees))
  }
}
// end

// snippet: dependencies of a live value
extension ServiceKey where Service == WeatherServer {
  static var server: Self {
    Self("server") {
      Registration(autowired: WeatherServer.self, scope: .singleton) {
        try await WeatherServer(host: "weather.example")
      }
      .onDispose { server in try await server.post("closed") }
    }
  }
}

extension ServiceKey where Service == WeatherClient {
  static var remote: Self {
    Self("remote") {
      Registration(scope: .singleton) { r in
        let server = try await r.resolve(.server)
        return WeatherClient(
          temperature: { city in try await server.temperature(in: city) },
          report: { text in try await server.post(text) })
      }
    }
  }
}
// end

struct TideClient: Sendable {
  init(file: String) async throws { await Task.yield() }
}

// snippet: dependencies interface
extension ServiceKey where Service == TideClient {
  static var tides: Self { Self("tides") }
}
// end

// snippet: dependencies implementation
struct LiveTides: Module {
  var registrations: Registrations {
    Registration(autowired: .tides, scope: .singleton) {
      try await TideClient(file: "tides.db")
    }
  }
}
// end

// snippet: dependencies initialiser
final class Alarm: Sendable {
  private let weather: WeatherClient
  init(weather: WeatherClient) { self.weather = weather }
  func isFreezing(in city: String) async throws -> Bool {
    try await weather.temperature(city) < 0
  }
}

extension ServiceKey where Service == Alarm {
  static var alarm: Self {
    Self("alarm") {
      Registration(scope: .singleton) { r in Alarm(weather: try r.resolve(.weather)) }
    }
  }
}
// end

// snippet: dependencies function
func isWarm(in city: String) async throws -> Bool {
  @Injected(.weather) var weather
  return try await weather.temperature(city) > 20
}
// end

// snippet: dependencies preview
extension Registrations {
  static var previews: Registrations {
    Registrations {
      Registration(instance: .preview).key(.weather)
    }
  }
}

extension Forecast {
  static func preview() throws -> Forecast {
    try Container.root.withOverrides {
      Registrations.previews
    } operation: {
      Forecast()
    }
  }
}
// end

/// The first half of the article: declaring and using.
@Suite("Coming from swift-dependencies", .timeLimit(.minutes(5)))
@MainActor
struct ComingFromSwiftDependencies {
  // snippet: dependencies test
  @Test(
    .container {
      Registration(autowired: .weather) {
        WeatherClient(temperature: { _ in 3 }, report: { _ in Issue.record("report") })
      }
      Registration(autowired: .date) { { Date(timeIntervalSince1970: 0) } }
      Registration(instance: CountingIDs.uuidStrings().next).key(.newID)
    })
  func refreshing() async throws {
    let clock = ManualClock()
    try await Container.current.register { Registration(instance: clock).key(.clock) }
    let model = Forecast()
    async let refresh: Void = model.refresh("Oslo")
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    try await refresh
    let (id, date) = (CountingIDs.uuidString(1), Date(timeIntervalSince1970: 0))
    #expect(model.entries == [Entry(id: id, date: date, degrees: 3)])
  }
  // end

  /// The article's table says how many lines the feature has there and here.
  @Test func theTableCountsTheLines() throws {
    let text = try Repository.article("ComingFromSwiftDependencies")
    var complaints: [String] = []
    let blocks = ArticleComparison.blocks(in: text, of: "", &complaints).dropFirst().prefix(6)
    let counts = blocks.map { block in block.lines.count { line in line.contains { $0 != " " } } }
    let marks = ["**swift-dependencies**", ArticleComparison.ours]
    try #require(blocks.map(\.mark) == marks + marks + marks)
    let (there, here) = (counts[0] + counts[2] + counts[4], counts[1] + counts[3] + counts[5])
    for row in [
      "| the client, its values and its key | \(counts[0]) | \(counts[1]) |",
      "| the model | \(counts[2]) | \(counts[3]) |",
      "| the test | \(counts[4]) | \(counts[5]) |",
      "| together | \(there) | \(here) |",
    ] { #expect(text.contains(row + "\n")) }
    #expect(here <= there)
  }

  @Test func theDefaultIsTheLiveValue() async throws {
    let container = Container()
    #expect(try await container.resolve(.weather).temperature("Oslo") == 15)
    #expect(!(try await Container.withCurrent(container) { try await isWarm(in: "Oslo") }))
  }

  @Test func aLiveValueHasDependenciesAndAnEnd() async throws {
    let container = Container()
    #expect(try await container.resolve(.remote).temperature("Oslo") == 15)
    let server = try await container.resolve(.server)
    try await container.shutdown()
    #expect(await server.posts == ["closed"])
  }

  @Test func anInterfaceWithoutItsImplementationIsAnError() async throws {
    let error = try await asyncResolutionError { try await Container().resolve(.tides) }
    #expect(error.code == .notRegistered)
    #expect(throws: ValidationError.self) {
      try Container {
        Registration(Int.self) { r in
          _ = try await r.resolve(.tides)
          return 1
        }
        .dependsOn(.tides)
      }
      .validate()
    }
    _ = try await Container { LiveTides() }.resolve(.tides)
  }

  @Test func aTokenIsPassedToAnInitialiser() async throws {
    let container = Container()
    let alarm = try await container.resolve(.alarm)
    #expect(try await container.resolve(.alarm) === alarm)
    #expect(!(try await alarm.isFreezing(in: "Oslo")))
    try await container.withOverrides {
      Registration(autowired: .weather) { WeatherClient(temperature: { _ in -3 }, report: { _ in }) }
    } operation: { () async throws in
      #expect(try await container.resolve(.alarm).isFreezing(in: "Oslo"))
    }
    #expect(!(try await container.resolve(.alarm).isFreezing(in: "Oslo")))
  }

  @Test func previewsHaveTheirValues() async throws {
    let forecast = try Forecast.preview()
    #expect(try await forecast.weather.temperature("Oslo") == 21)
    #expect(forecast.clock is ContinuousClock)
  }
}
