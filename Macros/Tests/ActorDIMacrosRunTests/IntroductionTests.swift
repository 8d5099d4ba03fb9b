import ActorDIMacros
import Testing

// The programs of other libraries' introductions, with the macros. The README compares their lengths.

// SafeDI: a boiler that has a pump of its own, and shares the water reservoir.

@Injectable(scope: .singleton) final class WaterReservoir: Sendable {}

@Injectable final class Pump {}

@Injectable final class Boiler {
  let pump: Pump
  let waterReservoir: WaterReservoir
}

// Factory: a service behind a protocol, a service constructed with it, and one that lives as long as the session.

protocol Greeter: Sendable { var text: String { get } }

struct EnglishGreeter: Greeter { let text = "Hello" }

struct Welcome { let greeter: any Greeter }

final class Authentication: Sendable {}

@Graph struct Services {
  static let session = ManagedScope("session")
  @Provides func greeter() -> any Greeter { EnglishGreeter() }
  @Provides func welcome(greeter: any Greeter) -> Welcome { Welcome(greeter: greeter) }
  @Provides(scope: .managed(by: Services.session)) func authentication() -> Authentication { Authentication() }
}

@Suite struct IntroductionTests {
  @Test func boilersShareTheReservoir() throws {
    let container = Container {
      WaterReservoir.registration
      Pump.registration
      Boiler.registration
    }
    try container.validate()
    let (first, second) = try (container.resolve(Boiler.self), container.resolve(Boiler.self))
    #expect(first.pump !== second.pump)
    #expect(first.waterReservoir === second.waterReservoir)
  }

  @Test func aServiceIsConstructedWithAnother() throws {
    let container = Container { Services().registrations }
    #expect(try container.resolve(Welcome.self).greeter.text == "Hello")
    #expect(Services().wired().welcome().greeter.text == "Hello")
  }

  @Test func aSessionEnds() async throws {
    let container = Container { Services().registrations }
    let first = try container.now(Authentication.self)
    #expect(try container.now(Authentication.self) === first)
    await Services.session.invalidate()
    #expect(try container.now(Authentication.self) !== first)
  }
}
