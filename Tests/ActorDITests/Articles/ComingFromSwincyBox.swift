import ActorDITestSupport
import Synchronization
import Testing

@testable import ActorDI

/// What the article of this name shows.
@Suite("Coming from SwincyBox")
struct ComingFromSwincyBox {
  // snippet: swincybox services
  protocol Transmission: Sendable { var gears: Int { get } }
  struct Engine: Transmission { let gears: Int }

  protocol Vehicle: AnyObject, Sendable { var engine: any Transmission { get } }
  final class Car: Vehicle {
    let engine: any Transmission
    init(engine: any Transmission) { self.engine = engine }
  }
  // end

  @Test func boxesAndServices() async throws {
    // snippet: swincybox box
    let box = Container {
      Registration(autowired: (any Transmission).self) { Engine(gears: 6) }
      Registration((any Vehicle).self) { r in Car(engine: try r.resolve()) }
    }
    let vehicle = try await box.resolve((any Vehicle).self)
    // end
    #expect(vehicle.engine.gears == 6)
    #expect(try await box.resolve((any Vehicle).self) !== vehicle)
  }

  @Test func missingServices() throws {
    let box = Container { Engine(gears: 6) }
    // snippet: swincybox missing
    let found: String
    do {
      found = "\(try box.resolve((any Transmission).self).gears) gears"
    } catch {
      found = "\(error)"
    }
    // end
    #expect(found.contains("Transmission"))
    #expect(try resolutionError { try box.resolve((any Transmission).self) }.code == .notRegistered)
  }

  @Test func keys() async throws {
    // snippet: swincybox keys
    let box = Container {
      Registration(autowired: Engine.self) { Engine(gears: 6) }.key("sports car")
      Registration(autowired: Engine.self) { Engine(gears: 5) }.key("family car")
    }
    let engine = try await box.resolve(Engine.self, key: "sports car")
    // end
    #expect(engine.gears == 6)
    #expect(try await box.resolve(Engine.self, key: "family car").gears == 5)
    #expect(!box.contains(Engine.self))
  }

  @Test func typedKeys() async throws {
    // snippet: swincybox typed keys
    let box = Container {
      Registration(autowired: .sportsCar) { SportsCar(gears: 7) }
    }
    let car = try await box.resolve(.sportsCar)
    // end
    #expect(car.gears == 7)
    #expect(try await box.resolve(SportsCar.self, key: "sports car").gears == 7)
  }

  @Test func lifeTypes() async throws {
    let built = Counter()
    // snippet: swincybox life
    let box = Container {
      Registration(autowired: (any Transmission).self) { Engine(gears: 6) }
      Registration((any Vehicle).self, scope: .singleton) { r in
        built.increment()
        return Car(engine: try r.resolve())
      }
    }
    let car = try await box.resolve((any Vehicle).self)
    let same = try await box.resolve((any Vehicle).self)
    // end
    #expect(car === same)
    #expect(built.count == 1)
  }

  @Test func childBoxes() async throws {
    // snippet: swincybox child
    let box = Container {
      Registration(autowired: (any Transmission).self) { Engine(gears: 6) }
    }
    let garage = box.makeChild(name: "garage") {
      Registration((any Vehicle).self) { r in Car(engine: try r.resolve()) }
    }
    let found = box.child(named: "garage")
    let car = try await garage.resolve((any Vehicle).self)
    // end
    #expect(found === garage)
    #expect(box.child(named: "shop") == nil)
    #expect(car.engine.gears == 6)
    #expect(!box.contains((any Vehicle).self))
    // The child looks in its parent when it is asked, not when it is made.
    try await box.register((any Transmission).self) { _ in Engine(gears: 8) }
    #expect(try await garage.resolve((any Vehicle).self).engine.gears == 8)
    try await box.register(String.self) { _ in "late" }
    #expect(try await garage.resolve(String.self) == "late")
  }

  @Test func childBoxesAreKeptByTheirUsers() async {
    let box = Container()
    var garage: Container? = box.makeChild(name: "garage")
    #expect(box.child(named: "garage") === garage)
    garage = nil
    #expect(box.child(named: "garage") == nil)
  }

  @Test func counts() {
    let box = Container { Engine(gears: 6) }
    let child = box.makeChild { Registration(autowired: String.self) { "" } }
    let grandchild = child.makeChild { Registration(autowired: Int.self) { 0 } }
    // snippet: swincybox counts
    let own = box.registrationCount
    let all = box.totalRegistrationCount
    // end
    #expect(own == 1 && all == 3)
    withExtendedLifetime(grandchild) {}
  }

  @Test func clearing() async throws {
    let box = Container { Registration(autowired: Engine.self, scope: .singleton) { Engine(gears: 6) } }
    let child = box.makeChild { Registration(autowired: String.self) { "" } }
    let grandchild = child.makeChild { Registration(autowired: Int.self) { 0 } }
    // snippet: swincybox clear
    await box.clear()
    // end
    #expect(box.registrationCount == 0 && box.totalRegistrationCount == 2)
    // snippet: swincybox clear all
    await box.clearAll()
    // end
    #expect(box.totalRegistrationCount == 0)
    try await box.register(String.self) { _ in "again" }
    #expect(try await grandchild.resolve(String.self) == "again")
  }

  @Test func severalBoxes() async throws {
    // snippet: swincybox several
    let engines = Container(name: "engines") {
      Registration(autowired: (any Transmission).self) { Engine(gears: 6) }
    }
    let cars = Container(name: "cars") {
      Registration((any Vehicle).self) { r in Car(engine: try r.resolve()) }
    }
    cars.link(engines)
    let car = try await cars.resolve((any Vehicle).self)
    // end
    #expect(car.engine.gears == 6)
    #expect(!engines.contains((any Vehicle).self))
  }

  @Test func registeringAgain() async throws {
    // snippet: swincybox again
    let lenient = Container { Engine(gears: 5) }
    try await lenient.register(Engine.self) { _ in Engine(gears: 6) }

    let strict = Container(configuration: .init(duplicates: .error)) { Engine(gears: 5) }
    // end
    #expect(try await lenient.resolve(Engine.self).gears == 6)
    let error = try await asyncResolutionError {
      try await strict.register(Engine.self) { _ in Engine(gears: 6) }
    }
    #expect(error.code == .duplicate)
    #expect(try await strict.resolve(Engine.self).gears == 5)
  }

  // snippet: swincybox wrapper
  @MainActor final class ShowroomController {
    @Injected var vehicle: any Vehicle
    @Injected(key: "spare") var spare: (any Transmission)?
  }
  // end

  @Test @MainActor func propertyWrapper() async throws {
    let box = Container {
      Registration(autowired: (any Vehicle).self, scope: .singleton) { Car(engine: Engine(gears: 6)) }
    }
    // snippet: swincybox injected
    let activation = box.activate()
    let controller = ShowroomController()
    let gears = controller.vehicle.engine.gears
    // end
    #expect(gears == 6)
    #expect(controller.spare == nil)
    #expect(try await box.resolve((any Vehicle).self) === controller.vehicle)
    activation.cancel()
  }

  // snippet: swincybox crash test
  @MainActor final class TestCar {
    weak var dummy: Dummy?
  }
  @MainActor final class Dummy {
    let car: TestCar
    init(car: TestCar) { self.car = car }
  }
  // end

  @Test(arguments: [Scope.singleton, .shared, .graph])
  func circularDependencies(scope: Scope) async throws {
    // snippet: swincybox circular
    let box = Container {
      Registration(autowired: TestCar.self, scope: scope, initializer: TestCar.init)
      Registration(autowired: Dummy.self, scope: scope, initializer: Dummy.init)
        .onCreated { @MainActor dummy, _ in dummy.car.dummy = dummy }
    }
    let dummy = try await box.resolve(Dummy.self)
    // end
    await MainActor.run { #expect(dummy.car.dummy === dummy) }
    let again = try await box.resolve(Dummy.self)
    #expect((again === dummy) == (scope != .graph))
  }

  @Test func endlessRecursion() async throws {
    let box = Container {
      Registration((any Transmission).self) { r in try r.resolve((any Vehicle).self).engine }
      Registration((any Vehicle).self) { r in Car(engine: try r.resolve()) }
    }
    let error = try await asyncResolutionError { try await box.resolve((any Vehicle).self) }
    #expect(error.path == ["any Vehicle", "any Transmission", "any Vehicle"])
  }
}

// snippet: swincybox token
struct SportsCar: Sendable { let gears: Int }

extension ServiceKey where Service == SportsCar {
  static var sportsCar: Self { .init("sports car") }
}
// end
