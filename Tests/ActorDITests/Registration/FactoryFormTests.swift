import ActorDITestSupport
import Dispatch
import Testing

@testable import ActorDI

private struct Line: Sendable, Equatable {
  var text: String
}

@MainActor private var mainNumber: Int { 7 }

/// The initialisers with a factory: synchronous, asynchronous and on the main actor, each with and without a scope and run-time
/// arguments.
struct FactoryFormTests {
  private func text(_ registration: Registration<Line>) async throws -> String {
    try await Container { registration }.resolve(Line.self).text
  }

  private func text<each Argument: Sendable>(
    _ registration: Registration<Line>, _ arguments: repeat each Argument
  ) async throws -> String {
    try await Container { registration }
      .resolve(Line.self, arguments: repeat each arguments).text
  }

  @Test func aRegistrationTakesASynchronousFactory() async throws {
    #expect(try await text(Registration(Line.self) { _ in Line(text: "a") }) == "a")
    #expect(try await text(Registration { _ in Line(text: "b") }) == "b")
    #expect(
      try await text(Registration(Line.self, scope: .singleton) { _ in Line(text: "c") }) == "c")
  }

  @Test func aRegistrationTakesAnAsynchronousFactory() async throws {
    let plain = Registration(Line.self) { _ in
      await Task.yield()
      return Line(text: "a")
    }
    let scoped = Registration(Line.self, scope: .singleton) { _ in
      await Task.yield()
      return Line(text: "b")
    }
    #expect(try await text(plain) == "a")
    #expect(try await text(scoped) == "b")
    let error = try resolutionError { try Container { plain }.resolve(Line.self) }
    #expect(error.code == .asyncRequired)
  }

  @Test func aRegistrationTakesAMainActorFactory() async throws {
    let plain = Registration(Line.self) { @MainActor _ in Line(text: "\(mainNumber)") }
    let scoped = Registration(Line.self, scope: .singleton) { @MainActor _ in
      MainActor.assertIsolated()
      return Line(text: "\(mainNumber)")
    }
    #expect(try await text(plain) == "7")
    #expect(try await text(scoped) == "7")
  }

  /// On Linux, no fixed thread serves the main queue of a program with an asynchronous main, as that of these tests.
  @Test func aBlockOnTheMainQueueResolvesAMainActorServiceSynchronously() async throws {
    let container = Container {
      Registration(Line.self) { @MainActor _ in Line(text: "\(mainNumber)") }
    }
    let line = try await withCheckedThrowingContinuation { caller in
      DispatchQueue.main.async { caller.resume(with: Result { try container.resolve(Line.self) }) }
    }
    #expect(line.text == "7")
  }

  @Test func aSynchronousFactoryTakesArguments() async throws {
    let one = Registration(Line.self) { (_, name: String) in Line(text: name) }
    let two = Registration(Line.self, scope: .singleton) { (_, name: String, count: Int) in
      Line(text: "\(name)\(count)")
    }
    #expect(try await text(one, "x") == "x")
    #expect(try await text(two, "x", 2) == "x2")
    let container = Container { two }
    #expect(try sync { try container.resolve(Line.self, arguments: "y", 3) }.text == "y3")
  }

  @Test func anAsynchronousFactoryTakesArguments() async throws {
    let one = Registration(Line.self) { (_, name: String) in
      await Task.yield()
      return Line(text: name)
    }
    let two = Registration(Line.self, scope: .singleton) { (_, name: String, count: Int) in
      await Task.yield()
      return Line(text: "\(name)\(count)")
    }
    #expect(try await text(one, "x") == "x")
    #expect(try await text(two, "x", 2) == "x2")
  }

  @Test func aMainActorFactoryTakesArguments() async throws {
    let one = Registration(Line.self) { @MainActor (_, name: String) in
      Line(text: "\(name)\(mainNumber)")
    }
    let two = Registration(Line.self, scope: .singleton) { @MainActor (_, name: String, n: Int) in
      Line(text: "\(name)\(n)\(mainNumber)")
    }
    #expect(try await text(one, "x") == "x7")
    #expect(try await text(two, "x", 2) == "x27")
  }

  @Test func manyArgumentsArePassedInOrder() async throws {
    let registration = Registration(Line.self) {
      (_, a: Int, b: String, c: Bool, d: Double, e: Character, f: UInt8, g: [Int], h: Int?) in
      Line(text: "\(a) \(b) \(c) \(d) \(e) \(f) \(g) \(h as Any)")
    }
    let none: Int? = nil
    let text = try await text(
      registration, 1, "two", true, 4.5, "e" as Character, 6 as UInt8, [7], none)
    #expect(text == "1 two true 4.5 e 6 [7] nil")
  }

  @Test func aKeptInstanceIgnoresLaterArguments() async throws {
    let container = Container {
      Registration(Line.self, scope: .singleton) { (_, name: String) in Line(text: name) }
    }
    #expect(try await container.resolve(Line.self, arguments: "first").text == "first")
    #expect(try await container.resolve(Line.self, arguments: "second").text == "first")
    await container.reset()
    #expect(try await container.resolve(Line.self, arguments: "third").text == "third")
  }

  @Test func argumentsArePartOfTheIdentity() throws {
    let container = Container {
      Registration(Line.self) { _ in Line(text: "none") }
      Registration(Line.self) { (_, _: Int, _: String) in Line(text: "Int, String") }
      Registration(Line.self) { (_, _: String, _: Int) in Line(text: "String, Int") }
      Registration(Line.self) { (_, _: String) in Line(text: "String") }
      Registration(Line.self) { (_, _: String?) in Line(text: "String?") }
      Registration(Line.self) { (_, _: String) in Line(text: "keyed") }.key("k")
    }
    let name: String? = "a"
    #expect(try container.resolve(Line.self).text == "none")
    #expect(try container.resolve(Line.self, arguments: 1, "a").text == "Int, String")
    #expect(try container.resolve(Line.self, arguments: "a", 1).text == "String, Int")
    #expect(try container.resolve(Line.self, arguments: "a").text == "String")
    #expect(try container.resolve(Line.self, arguments: name).text == "String?")
    #expect(try container.resolve(Line.self, key: "k", arguments: "a").text == "keyed")
    #expect(container.registrationCount == 6)
  }

  @Test func aRegisteredInstanceSurvivesAReset() async throws {
    let probe = Probe("given")
    let container = Container {
      Registration(instance: probe)
      Registration<any Greeter>(instance: Polite()).key("polite")
    }
    #expect(try await container.resolve(Probe.self) === probe)
    #expect(try await container.resolve((any Greeter).self, key: "polite").greet() == "Good day")
    await container.reset()
    #expect(try await container.resolve(Probe.self) === probe)
  }
}
