import ActorDITestSupport
import ActorDITesting
import Dispatch
import Foundation
import Observation
import Testing

@testable import ActorDI

// snippet: dependencies unimplemented
extension WeatherClient {
  static let unimplemented = WeatherClient(
    temperature: { _ in try #require(nil as Int?, "temperature is not implemented") },
    report: { _ in Issue.record("report is not implemented") })
}
// end

struct UploadClient: Sendable {
  var host = "live"
}

// snippet: dependencies strict
extension ServiceKey where Service == UploadClient {
  static var uploads: Self {
    Self("uploads") { Registration(instance: UploadClient()).external() }
  }
}

@Suite(.container(strict: true))
struct UploadTests {
  @Test(.container { Registration(instance: UploadClient(host: "test")).key(.uploads) })
  func theHost() throws {
    #expect(try Container.current.resolve(.uploads).host == "test")
  }
}
// end

// snippet: dependencies test values
extension Registrations {
  static var tests: Registrations {
    Registrations {
      Registration(instance: .unimplemented).key(.weather)
      Registration(autowired: .date) { { Date(timeIntervalSince1970: 0) } }
      Registration(instance: CountingIDs.uuidStrings().next).key(.newID)
    }
  }
}

@Suite(.container { Registrations.tests })
struct WeatherTests {
  @Test func identifiersBeginWithOne() throws {
    #expect(try Container.current.resolve(.newID)() == CountingIDs.uuidString(1))
  }
}
// end

// snippet: dependencies child model
@MainActor @Observable final class Details {
  let city: String
  @ObservationIgnored @Injected(.weather) var weather
  init(city: String) { self.city = city }
}

extension ServiceKey where Service == Details {
  static var details: Self {
    Self("details") {
      Registration { @MainActor (_, city: String) in Details(city: city) }
    }
  }
}

@MainActor @Observable final class CityList {
  private(set) var details: Details?
  private let newDetails = Container.current.provider(for: .details)

  func select(_ city: String) throws { details = try newDetails(city) }
}
// end

/// The second half of the article: overriding and testing.
@Suite("Coming from swift-dependencies: overrides", .timeLimit(.minutes(5)))
@MainActor
struct ComingFromSwiftDependenciesTesting {
  private struct Refused: Error {}

  @Test func anUnimplementedEndpointFailsTheTest() async throws {
    try await withKnownIssue {
      _ = try await WeatherClient.unimplemented.temperature("Oslo")
    } matching: {
      "\($0)".contains("temperature is not implemented")
    }
    try await withKnownIssue {
      _ = try await WeatherClient.unimplemented.report("Rain")
    } matching: {
      "\($0)".contains("report is not implemented")
    }
  }

  @Test func anUnimplementedClientFailsTheTest() async throws {
    let container = Container { Registration.unimplemented(WeatherClient.self).key(.weather) }
    await withKnownIssue {
      await #expect(throws: UnimplementedServiceError.self) { try await container.resolve(.weather) }
    } matching: {
      $0.error is UnimplementedServiceError
    }
  }

  @Test func aStrictTestRefusesTheDefault() async throws {
    let container = Container()
    try await container.withOverrides(strict: true) {
    } operation: { () async throws in
      #expect(try await asyncResolutionError { try await container.resolve(.uploads) }.code == .external)
    }
  }

  @Test func aModelKeepsItsOverrides() async throws {
    // snippet: dependencies overrides
    let forecast = try Container.root.withOverrides {
      Registration(instance: .preview).key(.weather)
    } operation: {
      Forecast()
    }
    // end
    // The property is loaded after the operation.
    #expect(try await forecast.weather.temperature("Oslo") == 21)
    #expect(try await Forecast().weather.temperature("Oslo") == 15)
  }

  @Test func oneEndpointIsReplaced() async throws {
    // snippet: dependencies one endpoint
    let forecast = try Container.root.withOverrides {
      Decorator(.weather) { _, weather in
        var weather = weather
        weather.temperature = { _ in 3 }
        return weather
      }
    } operation: {
      Forecast()
    }
    // end
    #expect(try await forecast.weather.temperature("Oslo") == 3)
    try await forecast.weather.report("Rain")
    #expect(await WeatherServer.shared.posts.contains("Rain"))
  }

  // snippet: dependencies change
  @Test(
    .container {
      Registration(autowired: .weather) {
        WeatherClient(temperature: { _ in throw Refused() }, report: { _ in })
      }
    })
  func theServerRecovers() async throws {
    let forecast = Forecast()
    await #expect(throws: Refused.self) { try await forecast.weather.temperature("Oslo") }
    let degrees = try await Container.current.withOverrides {
      Registration(instance: .preview).key(.weather)
    } operation: {
      try await forecast.weather.temperature("Oslo")
    }
    #expect(degrees == 21)
  }
  // end

  @Test func anObjectOfAnEndedOperationDoesNotSeeLaterOverrides() async throws {
    let forecast = try Container.root.withOverrides {
      Registration(instance: .preview).key(.weather)
    } operation: {
      Forecast()
    }
    try await Container.root.withOverrides {
      Registration(autowired: .weather) { WeatherClient(temperature: { _ in 3 }, report: { _ in }) }
    } operation: { () async throws in
      #expect(try await forecast.weather.temperature("Oslo") == 21)
      #expect(try await Forecast().weather.temperature("Oslo") == 3)
    }
  }

  @Test func aChildModelSeesTheOverrides() async throws {
    let list = try Container.root.withOverrides {
      Registration(instance: .preview).key(.weather)
    } operation: {
      CityList()
    }
    try list.select("Oslo")
    let details = try #require(list.details)
    #expect(details.city == "Oslo")
    #expect(try await details.weather.temperature("Oslo") == 21)
    // Made by hand, after the operation, it does not.
    #expect(try await Details(city: "Oslo").weather.temperature("Oslo") == 15)
  }

  @Test func anEscapingClosureSeesTheOverrides() async throws {
    let (answers, answer) = AsyncStream<WeatherClient?>.makeStream()
    try Container.root.withOverrides {
      Registration(instance: .preview).key(.weather)
    } operation: { () throws in
      // snippet: dependencies escaping
      let weather = Injected(.weather)
      DispatchQueue.global().async {
        answer.yield(try? weather())
        answer.finish()
      }
      // end
    }
    var degrees: [Int?] = []
    for await client in answers { degrees.append(try await client?.temperature("Oslo")) }
    #expect(degrees == [21])
  }

  @Test func aProgramPreparesItsServices() async throws {
    // snippet: dependencies prepare
    struct WeatherApp {  // with @main; in an app, a SwiftUI.App
      @Dependencies private var container = Container(name: "weather") {
        Registration(autowired: .tides, scope: .singleton) {
          try await TideClient(file: "tides.db")
        }
      }
    }
    // end
    do {
      let app = WeatherApp()
      _ = try await Container.root.resolve(.tides)
      withExtendedLifetime(app) {}
    }
    #expect(!Container.root.contains(.tides))
  }

  @Test func aContainersRegistrationTakesPrecedenceOverTheDefault() async throws {
    let container = Container()
    #expect(try await container.resolve(.weather).temperature("Oslo") == 15)
    // snippet: dependencies prepare later
    try await container.register { Registration(instance: .preview).key(.weather) }
    // end
    #expect(try await container.resolve(.weather).temperature("Oslo") == 21)
  }
}
