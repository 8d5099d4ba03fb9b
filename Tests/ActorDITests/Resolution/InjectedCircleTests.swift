import ActorDITestSupport
import Synchronization
import Testing

@testable import ActorDI

/// A service with an injected property. `@unchecked Sendable` because only hooks set the properties, before the instance is visible
/// elsewhere.
private final class Engine: @unchecked Sendable {
  var car: Car?
  var truck: Truck?
  var cars: [Car] = []
}
private protocol Vehicle: AnyObject, Sendable {}
/// A service whose initialiser takes the one with the injected property.
private final class Car: Vehicle {
  let engine: Engine
  init(engine: Engine) { self.engine = engine }
}
private final class Truck: Sendable {
  let engine: Engine
  init(engine: Engine) { self.engine = engine }
}

/// A circle of three services: two initialisers and an injected property.
private final class Head: Sendable {
  let body: Body
  init(body: Body) { self.body = body }
}
private final class Body: Sendable {
  let tail: Tail
  init(tail: Tail) { self.tail = tail }
}
private final class Tail: @unchecked Sendable {
  var head: Head?
}

/// Runs the jobs of a task on other threads, and holds them back while it is paused.
private final class PausableExecutor: TaskExecutor {
  private let state = Mutex<(isPaused: Bool, jobs: [UnownedJob])>((false, []))

  func pause() { state.withLock { $0.isPaused = true } }

  func resume() {
    let jobs = state.withLock { state in
      state.isPaused = false
      return exchange(&state.jobs, with: [])
    }
    for job in jobs { run(job) }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isHeld = state.withLock { state in
      if state.isPaused { state.jobs.append(job) }
      return state.isPaused
    }
    if !isHeld { run(job) }
  }

  private func run(_ job: UnownedJob) {
    Task.detached { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}

/// The scopes that keep or share an instance.
private let sharingScopes = keepingScopes + [.graph, .scoped, .scoped("app"), .pooled(max: 1)]

@Suite("Circles of initialisers and injected properties", .timeLimit(.minutes(5)))
struct InjectedCircleTests {
  /// Whether the factories suspend.
  enum Form: CaseIterable { case synchronous, asynchronous, mainActor }

  private func container(_ scope: Scope, _ form: Form = .synchronous, isEager: Bool = false) -> Container {
    @Sendable func eager<Service: Sendable>(_ registration: Registration<Service>) -> Registration<Service> {
      isEager ? registration.eager() : registration
    }
    return Container(name: "app") {
      switch form {
      case .synchronous:
        eager(Registration(Engine.self, scope: scope) { _ in Engine() }.inject(\.car))
        eager(Registration(autowired: Car.self, scope: scope, initializer: Car.init))
      case .asynchronous:
        eager(
          Registration(Engine.self, scope: scope) { _ in
            await Task.yield()
            return Engine()
          }
          .inject(\.car))
        eager(
          Registration(Car.self, scope: scope) { r in
            await Task.yield()
            return Car(engine: try await r.resolve())
          })
      case .mainActor:
        eager(Registration(Engine.self, scope: scope) { @MainActor _ in Engine() }.inject(\.car))
        eager(Registration(Car.self, scope: scope) { @MainActor r in Car(engine: try await r.resolve()) })
      }
    }
  }

  private func isClosed(_ car: Car) -> Bool { car.engine.car === car }
  private func isClosed(_ engine: Engine) -> Bool { engine.car?.engine === engine }
  private func check(_ car: Car, sourceLocation: Testing.SourceLocation = #_sourceLocation) {
    #expect(isClosed(car), sourceLocation: sourceLocation)
  }
  private func check(_ engine: Engine, sourceLocation: Testing.SourceLocation = #_sourceLocation) {
    #expect(isClosed(engine), sourceLocation: sourceLocation)
  }

  @Test(arguments: sharingScopes, Form.allCases)
  func aCircleBuildsFromEitherSide(scope: Scope, form: Form) async throws {
    check(try await container(scope, form).resolve(Car.self))
    check(try await container(scope, form).resolve(Engine.self))
    if form == .synchronous {
      check(try sync { try container(scope).resolve(Car.self) })
      check(try sync { try container(scope).resolve(Engine.self) })
    }
    // A pooled service would keep the other one beyond its end.
    if scope.poolLimit == nil { try await container(scope, form).validate() }
  }

  @Test(arguments: keepingScopes, Form.allCases)
  func startBuildsACircle(scope: Scope, form: Form) async throws {
    let container = container(scope, form, isEager: true)
    try await container.start()
    check(try await container.resolve(Car.self))
  }

  @Test(arguments: sharingScopes)
  func aLongCircleBuildsFromEachSide(scope: Scope) async throws {
    for isAsynchronous in [false, true] {
      func container() -> Container {
        Container(name: "app") {
          Registration(Tail.self, scope: scope) { _ in Tail() }.inject(\.head)
          if isAsynchronous {
            Registration(Head.self, scope: scope) { r in Head(body: try await r.resolve()) }
            Registration(Body.self, scope: scope) { r in Body(tail: try await r.resolve()) }
          } else {
            Registration(autowired: Head.self, scope: scope, initializer: Head.init)
            Registration(autowired: Body.self, scope: scope, initializer: Body.init)
          }
        }
      }
      let head = try await container().resolve(Head.self)
      #expect(head.body.tail.head === head)
      let body = try await container().resolve(Body.self)
      #expect(body.tail.head?.body === body)
      let tail = try await container().resolve(Tail.self)
      #expect(tail.head?.body.tail === tail)
      guard !isAsynchronous else { continue }
      let other = try sync { try container().resolve(Body.self) }
      #expect(other.tail.head?.body === other)
    }
  }

  @Test(arguments: [Scope.singleton, .graph, .shared])
  func twoCirclesShareAService(scope: Scope) throws {
    func container() -> Container {
      Container {
        Registration(Engine.self, scope: scope) { _ in Engine() }.inject(\.car).inject(\.truck)
        Registration(autowired: Car.self, scope: scope, initializer: Car.init)
        Registration(autowired: Truck.self, scope: scope, initializer: Truck.init)
      }
    }
    let car = try container().resolve(Car.self)
    #expect(isClosed(car) && car.engine.truck?.engine === car.engine)
    let truck = try container().resolve(Truck.self)
    #expect(truck.engine.truck === truck && isClosed(truck.engine))
    let engine = try container().resolve(Engine.self)
    #expect(isClosed(engine) && engine.truck?.engine === engine)
  }

  @Test func theStepsHaveTheSameOrderFromEitherSide() throws {
    func steps(_ resolve: (Container) throws -> Void) rethrows -> [String] {
      let journal = Journal<String>()
      let container = Container {
        Registration(Engine.self, scope: .singleton) { _ in
          journal.note("engine")
          return Engine()
        }
        .onCreated { engine, _ in journal.note("first hook, \(engine.car == nil)") }
        .inject(\.car)
        .onCreated { engine, _ in journal.note("last hook, \(engine.car == nil)") }
        Registration(Car.self, scope: .singleton) { r in
          let car = Car(engine: try r.resolve())
          journal.note("car")
          return car
        }
        .onCreated { car, _ in journal.note("hook of the car, \(car.engine.car == nil)") }
      }
      try resolve(container)
      return journal.entries
    }
    let expected = ["engine", "first hook, true", "car", "hook of the car, true", "last hook, false"]
    #expect(try steps { _ = try $0.resolve(Engine.self) } == expected)
    #expect(try steps { _ = try $0.resolve(Car.self) } == expected)
  }

  @Test(arguments: Form.allCases)
  func tasksResolveBothSidesAtOnce(form: Form) async throws {
    for _ in 0..<100 {
      let container = container(.singleton, form)
      async let engine = container.resolve(Engine.self)
      async let car = container.resolve(Car.self)
      let (theEngine, theCar) = try await (engine, car)
      #expect(theEngine.car === theCar && theCar.engine === theEngine)
    }
  }

  @Test func threadsResolveAllSidesAtOnce() async throws {
    for _ in 0..<100 {
      let container = Container {
        Registration(Tail.self, scope: .singleton) { _ in Tail() }.inject(\.head)
        Registration(autowired: Head.self, scope: .singleton, initializer: Head.init)
        Registration(autowired: Body.self, scope: .singleton, initializer: Body.init)
      }
      async let head = onThread { try container.resolve(Head.self) }
      async let body = onThread { try container.resolve(Body.self) }
      async let tail = onThread { try container.resolve(Tail.self) }
      let (theHead, theBody, theTail) = try await (head, body, tail)
      #expect(theHead.body === theBody && theBody.tail === theTail && theTail.head === theHead)
    }
  }

  // Each of these two services waits until the build of the other one has begun.

  private static func engine(_ engineBegun: Gate, _ carBegun: Gate) -> Registration<Engine> {
    Registration(Engine.self, scope: .singleton) { _ in Engine() }
      .onCreated { (_: Engine, _: Resolver) async in
        engineBegun.open()
        await carBegun.wait()
      }
      .inject(\.car)
  }

  private static func car(_ engineBegun: Gate, _ carBegun: Gate) -> Registration<Car> {
    Registration(Car.self, scope: .singleton) { r in
      carBegun.open()
      await engineBegun.wait()
      return Car(engine: try await r.resolve())
    }
  }

  @Test func anInjectionAndAFactoryWaitForEachOther() async throws {
    let (engineBegun, carBegun) = (Gate(), Gate())
    let container = Container {
      Self.engine(engineBegun, carBegun)
      Self.car(engineBegun, carBegun)
    }
    async let engine = container.resolve(Engine.self)
    async let car = container.resolve(Car.self)
    let (theEngine, theCar) = try await (engine, car)
    #expect(theEngine.car === theCar && theCar.engine === theEngine)
  }

  /// The engine's build has its caller as a waiter throughout, although the car takes the engine.
  @Test func aCircleIsCancelledWithItsLastCaller() async throws {
    let (engineBegun, carBegun, isInjected, isCancelled, never) = (Gate(), Gate(), Gate(), Gate(), Gate())
    let container = Container {
      Self.engine(engineBegun, carBegun)
        .onCreated { (_: Engine, _: Resolver) async throws in
          isInjected.open()
          defer { isCancelled.open() }
          try await never.passed()
        }
      Self.car(engineBegun, carBegun)
    }
    let engine = Task { try await container.resolve(Engine.self) }
    let car = Task { try await container.resolve(Car.self) }
    try await isInjected.passed()
    car.cancel()
    await #expect(throws: CancellationError.self) { try await car.value }
    engine.cancel()
    await #expect(throws: CancellationError.self) { try await engine.value }
    try await isCancelled.passed()
  }

  /// A task builds the car, and its factory resolves the engine without suspending.
  @Test @MainActor func aSynchronousRequestOfATaskIsPartOfACircle() async throws {
    let container = Container {
      Registration(Engine.self, scope: .singleton) { @MainActor _ in Engine() }.inject(\.car)
      Registration(Car.self, scope: .singleton) { @MainActor r in Car(engine: try r.resolve()) }
    }
    check(try await container.resolve(Car.self))
    let asynchronous = Container {
      Registration(Engine.self, scope: .singleton) { _ in Engine() }.inject(\.car)
      Registration(Car.self, scope: .singleton) { r in
        await Task.yield()
        return try sync { Car(engine: try r.resolve()) }
      }
    }
    check(try await asynchronous.resolve(Car.self))
  }

  /// The head that the tail's injection has begun fails, because the body that it needs is under construction. It fails for its own
  /// thread only.
  @Test func aThreadThatWaitsForAServiceOfTheCircleGetsIt() async throws {
    let (isFirst, headBegun, isAwaited) = (Shelf(true), Gate(), Gate())
    let container = Container {
      Registration(Tail.self, scope: .singleton) { _ in Tail() }.inject(\.head)
      Registration(Head.self, scope: .singleton) { r in
        if isFirst.value {
          isFirst.value = false
          headBegun.open()
          isAwaited.block()
        }
        return Head(body: try r.resolve())
      }
      Registration(autowired: Body.self, scope: .singleton, initializer: Body.init)
    }
    let cell = try #require(container.locate(ServiceIdentity(Head.self))?.binding).ownCell
    async let body = onThread { try container.resolve(Body.self) }
    try await headBegun.passed()
    async let head = onThread { try container.resolve(Head.self) }
    try await until { cell.state.withLock { !$0.waiters.isEmpty } }
    isAwaited.open()
    let (theBody, theHead) = try await (body, head)
    #expect(theHead.body === theBody && theBody.tail.head === theHead)
  }

  /// The body has taken the tail, whose injection waits for the head. So the task that builds the head runs the rest of the tail, too.
  @Test func aThreadDoesNotWaitForABuildThatATaskEnds() async throws {
    let (taken, gate, hasReturned) = (Gate(), Gate(), Shelf(false))
    let container = Container {
      Registration(Tail.self, scope: .singleton) { _ in Tail() }.inject(\.head)
      Registration(Body.self, scope: .singleton) { r in Body(tail: try r.resolve()) }
      Registration(Head.self, scope: .singleton) { r in
        let body = try await r.resolve(Body.self)
        taken.open()
        await gate.wait()
        return Head(body: body)
      }
    }
    let cell = try #require(container.locate(ServiceIdentity(Body.self))?.binding).ownCell
    async let head = container.resolve(Head.self)
    try await taken.passed()
    async let refusal = onThread {
      defer { hasReturned.value = true }
      return try resolutionError { try container.resolve(Body.self) }
    }
    try await until { hasReturned.value || cell.state.withLock { !$0.waiters.isEmpty } }
    gate.open()
    let (error, theHead) = try await (refusal, head)
    #expect(error.code == .asyncRequired)
    #expect(theHead.body.tail.head === theHead)
    #expect(try sync { try container.resolve(Body.self) } === theHead.body)
  }

  // MARK: Other forms

  @Test func theOtherServiceCanBeUnkept() async throws {
    func container(isAsynchronous: Bool) -> Container {
      Container {
        Registration(Engine.self, scope: .singleton) { _ in Engine() }.inject(\.car)
        if isAsynchronous {
          Registration(Car.self) { r in Car(engine: try await r.resolve()) }
        } else {
          Registration(autowired: Car.self, initializer: Car.init)
        }
      }
    }
    for isAsynchronous in [false, true] {
      let container = container(isAsynchronous: isAsynchronous)
      try await container.validate()
      let car = try await container.resolve(Car.self)
      // Each request has a car of its own.
      #expect(isClosed(car.engine) && car.engine.car !== car)
    }
    let car = try sync { try container(isAsynchronous: false).resolve(Car.self) }
    #expect(isClosed(car.engine))
  }

  @Test func aCircleOfUnkeptServicesIsAnError() async throws {
    for form in [Form.synchronous, .asynchronous] {
      let container = container(.transient, form)
      #expect(try await asyncResolutionError { try await container.resolve(Car.self) }.code == .cycle)
      #expect(try await asyncResolutionError { try await container.resolve(Engine.self) }.code == .cycle)
    }
  }

  @Test func aCircleLeadsThroughAliasesKeysAndDecorators() async throws {
    final class Motor: @unchecked Sendable {
      var vehicle: (any Vehicle)?
    }
    final class Bus: Vehicle {
      let motor: Motor
      init(motor: Motor) { self.motor = motor }
    }
    func container() -> Container {
      Container {
        Registration(Motor.self, scope: .singleton) { _ in Motor() }.key("m").inject(\.vehicle, key: "v")
        Registration(Bus.self, scope: .singleton) { r in Bus(motor: try r.resolve(key: "m")) }
          .implements((any Vehicle).self, key: "v") { $0 }
      }
    }
    for resolve: @Sendable (Container) async throws -> Bus in [
      { try await $0.resolve() },
      { try #require(try await $0.resolve((any Vehicle).self, key: "v") as? Bus) },
      { try #require(try await $0.resolve(Motor.self, key: "m").vehicle as? Bus) },
      { container in try sync { try container.resolve() } },
    ] {
      let bus = try await resolve(container())
      #expect(bus.motor.vehicle === bus)
    }
    // The injected service is the decorated one.
    for isCarFirst in [true, false] {
      let container = self.container(.singleton)
      try await container.decorate(Car.self) { _, inner in Car(engine: inner.engine) }
      let car = isCarFirst ? try await container.resolve(Car.self) : try await container.resolve(Engine.self).car
      #expect(try await container.resolve(Car.self) === car && car?.engine.car === car)
    }
  }

  @Test func aCircleLeadsThroughACollection() async throws {
    let container = Container {
      Registration(Engine.self, scope: .singleton) { _ in Engine() }.inject(\.cars)
      Registration(autowired: Car.self, scope: .singleton, initializer: Car.init)
      Registration(autowired: Car.self, scope: .singleton, initializer: Car.init).key(2)
    }
    let car = try sync { try container.resolve(Car.self) }
    #expect(car.engine.cars.count == 2 && car.engine.cars.first === car)
  }

  @Test func aCircleLeadsThroughParentsChildrenAndLinks() async throws {
    let engines = Container { Registration(Engine.self, scope: .scoped) { _ in Engine() }.inject(\.car) }
    let cars = Container { Registration(autowired: Car.self, scope: .scoped, initializer: Car.init) }
    for (parent, linked) in [(engines, cars), (cars, engines)] {
      for isCarFirst in [true, false] {
        let child = Container(parent: parent)
        let link = child.link(linked)
        let engine = isCarFirst ? try await child.resolve(Car.self).engine : try await child.resolve(Engine.self)
        #expect(isClosed(engine))
        #expect(try await child.resolve(Engine.self) === engine)
        withExtendedLifetime(link) {}
      }
    }
  }

  @Test func aCircleWithAnOverrideBelongsToTheOverride() async throws {
    final class FastCar: Sendable {}
    let container = container(.singleton)
    try await container.withOverrides {
      Registration(Engine.self, scope: .singleton) { _ in Engine() }.inject(\.car)
    } operation: {
      check(try await container.resolve(Car.self))
    }
    #expect(container.resolveIfReady(Car.self) == nil)
    check(try await container.resolve(Car.self))
  }

  @Test func aServiceWithArgumentsCanBePartOfACircle() throws {
    final class Wheel: Sendable {
      let engine: Engine
      let size: Int
      init(engine: Engine, size: Int) { (self.engine, self.size) = (engine, size) }
    }
    let container = Container {
      Registration(Engine.self, scope: .singleton) { _ in Engine() }.inject(\.car)
      Registration(autowired: Car.self, scope: .singleton, initializer: Car.init)
      Registration(Wheel.self, scope: .singleton) { (r: Resolver, size: Int) in
        Wheel(engine: try r.resolve(Car.self).engine, size: size)
      }
      .perArguments()
    }
    let wheel = try container.resolve(Wheel.self, arguments: 17)
    #expect(wheel.size == 17 && isClosed(wheel.engine))
  }

  @Test func observersSeeOneBuildOfEachService() async throws {
    for isCarFirst in [true, false] {
      let container = container(.singleton)
      let events = container.events()
      if isCarFirst { _ = try await container.resolve(Car.self) } else { _ = try await container.resolve(Engine.self) }
      let taken = try await events.allTaken(from: container)
      #expect(taken.created(Engine.self).count == 1 && taken.created(Car.self).count == 1)
      #expect(taken.summaries.filter { $0.hasPrefix("failed") } == [])
      #expect(taken.allSummaries.filter { $0 == "building Engine" }.count == 1)
    }
  }

  // MARK: Failures

  @Test func aFactoryThatFailsTakesItsCircleWithIt() async throws {
    let (journal, failures) = (Journal<String>(), Shelf(2))
    let container = Container {
      Registration(Engine.self, scope: .singleton) { _ in Engine() }.inject(\.car)
        .onDispose { _ in journal.note("engine") }
      Registration(Car.self, scope: .singleton) { r in
        let car = Car(engine: try r.resolve())
        failures.value -= 1
        if failures.value >= 0 { throw Boom() }
        return car
      }
      .onDispose { _ in journal.note("car") }
    }
    #expect(throws: Boom()) { try sync { try container.resolve(Car.self) } }
    #expect(container.resolveIfReady(Engine.self) == nil)
    await #expect(throws: Boom()) { try await container.resolve(Engine.self) }
    #expect(container.resolveIfReady(Engine.self) == nil)
    try await until { journal.entries == ["engine", "engine"] }
    check(try await container.resolve(Car.self))
    try await container.shutdown()
    #expect(journal.entries == ["engine", "engine", "car", "engine"])
  }

  @Test(arguments: [false, true])
  func aHookAfterTheInjectionThatFailsTakesTheCircleWithIt(isAsynchronous: Bool) async throws {
    let (journal, made, isFailing) = (Journal<String>(), Counter(), Shelf(true))
    let container = Container {
      Registration(Engine.self, scope: .singleton) { _ in
        made.increment()
        return Engine()
      }
      .inject(\.car)
      .onCreated { _, _ in if isFailing.value { throw Boom() } }
      .onDispose { _ in journal.note("engine") }
      if isAsynchronous {
        Registration(Car.self, scope: .singleton) { r in Car(engine: try await r.resolve()) }
          .onDispose { _ in journal.note("car") }
      } else {
        Registration(autowired: Car.self, scope: .singleton, initializer: Car.init)
          .onDispose { _ in journal.note("car") }
      }
    }
    for _ in 0..<2 {
      await #expect(throws: Boom()) { try await container.resolve(Engine.self) }
      await #expect(throws: Boom()) { try await container.resolve(Car.self) }
    }
    #expect(container.resolveIfReady(Engine.self) == nil && container.resolveIfReady(Car.self) == nil)
    #expect(made.count == 4)
    try await until { journal.entries.count == 8 }
    isFailing.value = false
    check(try await container.resolve(Car.self))
    try await container.shutdown()
    #expect(journal.entries.suffix(2) == ["car", "engine"] && journal.entries.count == 10)
  }

  /// A regression: a caller that was called back because its build was held, and that asked again after the failure of that build, built
  /// once more. If it was as late each time, it never returned.
  @Test(arguments: [Scope.singleton, .shared])
  func aLateCallerGetsTheErrorOfItsBuild(scope: Scope) async throws {
    let (executor, made) = (PausableExecutor(), Counter())
    let container = Container {
      Registration(Engine.self, scope: scope) { _ in
        await Task.yield()
        made.increment()
        executor.pause()
        return Engine()
      }
      .inject(\.car)
      .onCreated { _, _ in
        if made.count < 10 { throw Boom() }
        executor.resume()
      }
      .onDispose { _ in executor.resume() }
      Registration(Car.self, scope: scope) { r in Car(engine: try await r.resolve()) }
    }
    let caller = Task(executorPreference: executor) { try await container.resolve(Car.self) }
    await #expect(throws: Boom()) { try await caller.value }
    #expect(made.count == 1)
  }

  @Test func aCancelledCallerLeavesNothingBehind() async throws {
    let (begun, gate) = (Gate(), Gate())
    let container = Container {
      Registration(Engine.self, scope: .singleton) { _ in Engine() }.inject(\.car)
      Registration(Car.self, scope: .singleton) { r in
        let car = Car(engine: try await r.resolve())
        begun.open()
        await gate.wait()
        return car
      }
    }
    let caller = Task { try await container.resolve(Car.self) }
    try await begun.passed()
    caller.cancel()
    await #expect(throws: CancellationError.self) { try await caller.value }
    gate.open()
    check(try await container.resolve(Car.self))
    check(try await container.resolve(Engine.self))
  }

  @Test func aHookThatResolvesBuildsFromOneSideOnly() async throws {
    let container = Container {
      Registration(Engine.self, scope: .singleton) { _ in Engine() }
        .onCreated { engine, r in engine.car = try r.resolve() }
        .dependsOn(Car.self)
      Registration(autowired: Car.self, scope: .singleton, initializer: Car.init)
    }
    #expect(findings(container) == ["cycle: Engine -> Car -> Engine"])
    let error = try sync { try resolutionError { try container.resolve(Car.self) } }
    #expect(error.code == .cycle && error.path == ["Car", "Engine", "Car"])
    check(try await container.resolve(Engine.self))
  }

  @Test func validationBuildsACircleFromEachSide() async throws {
    try await container(.singleton).validate(building: true)
    let builds = Counter()
    let oneSided = Container {
      Registration(Engine.self, scope: .singleton) { _ in
        builds.increment()
        return Engine()
      }
      .onCreated { engine, r in engine.car = try r.resolve() }
      Registration(autowired: Car.self, scope: .singleton, initializer: Car.init)
      Registration(Leaf.self, scope: .singleton) { r in Leaf(try r.resolve(Car.self)) }
    }
    // The closure declares nothing, and the engine is built before the car.
    try await oneSided.validate()
    let error = try await #require(throws: ValidationError.self) { try await oneSided.validate(building: true) }
    #expect(error.problems.map(\.path) == [["Car", "Engine", "Car"]])
    // With all others, from its own side, and from the car's.
    #expect(builds.count == 3)
  }

  /// A circle of initialisers behind the injection is an error, wherever the resolve begins.
  @Test func anInjectionDoesNotHideACycleOfInitialisers() async throws {
    let container = Container {
      Registration(Engine.self, scope: .singleton) { _ in Engine() }.inject(\.truck)
      Registration(autowired: Car.self, scope: .singleton, initializer: Car.init)
      Registration(Truck.self, scope: .singleton) { r in
        _ = try r.resolve(Leaf.self)
        return Truck(engine: try r.resolve())
      }
      Registration(Leaf.self, scope: .singleton) { r in Leaf(try r.resolve(Truck.self)) }
    }
    for _ in 0..<2 {
      let error = try sync { try resolutionError { try container.resolve(Car.self) } }
      #expect(error.code == .cycle && error.path.suffix(3) == ["Truck", "Leaf", "Truck"])
      #expect(try await asyncResolutionError { try await container.resolve(Engine.self) }.code == .cycle)
    }
  }
}
