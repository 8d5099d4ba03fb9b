import ActorDI
import ActorDITestSupport
import Testing

private struct Source: Sendable, Equatable { var name = "source" }
private struct Report: Sendable, Equatable {
  let source: Source
  var title = "none"
}
private final class Draft {
  let source: Source
  init(_ source: Source) { self.source = source }
}

/// Factories in a synchronous and an asynchronous form: `suspending`.
@Suite("Factories of both forms")
struct SuspendingTests {
  private func report(_ scope: Scope = .transient) -> Registration<Report> {
    Registration(Report.self, scope: scope) { r in Report(source: try r.resolve()) }
      .suspending { r in Report(source: try await r.resolve()) }
      .dependsOn(Source.self)
  }

  @Test(arguments: [Scope.transient, .singleton, .graph])
  func areAsSynchronousAsTheirDependencies(scope: Scope) async throws {
    let synchronous = Container {
      report(scope)
      Registration(Source.self) { _ in Source() }
    }
    try await synchronous.validate()
    #expect(try resolveNow(synchronous) == Report(source: Source()))
    let asynchronous = Container {
      report(scope)
      Registration(Source.self) { _ async in Source() }
    }
    try await asynchronous.validate()
    let error = #expect(throws: ResolutionError.self) { try resolveNow(asynchronous) }
    #expect(error?.code == .asyncRequired)
    #expect(try await asynchronous.resolve(Report.self) == Report(source: Source()))
  }

  private func resolveNow(_ container: Container) throws -> Report { try container.resolve() }

  @Test func takeRunTimeArguments() async throws {
    let container = Container {
      Registration(Report.self) { (r, title: String) in Report(source: try r.resolve(), title: title) }
        .dependsOn(Source.self)
        .suspending { (r, title: String) in Report(source: try await r.resolve(), title: title + " later") }
      Registration(Source.self) { _ async in Source() }
    }
    try await container.validate()
    #expect(try await container.resolve(Report.self, arguments: "a") == Report(source: Source(), title: "a later"))
    #expect(container.registrations[0].dependencies.map(\.description) == ["Source"])
  }

  @MainActor @Test func runOnTheMainActor() async throws {
    let container = Container {
      Registration(Draft.self) { @MainActor r in Draft(try r.resolve()) }
        .suspending { @MainActor r in Draft(try await r.resolve()) }.dependsOn(Source.self)
      Registration(Source.self) { _ async in Source() }
    }
    try await container.validate()
    let draft: Draft = try await container.resolve()
    #expect(draft.source == Source())
  }

  @Test func belongToSynchronousClosures() async throws {
    let container = Container()
    let faulty = [
      Registration(Report.self) { _ async in Report(source: Source()) }.suspending { _ in Report(source: Source()) },
      Registration(instance: Report(source: Source())).suspending { _ in Report(source: Source()) },
      Registration(autowired: Report.self) { (source: Source) in Report(source: source) }
        .suspending { _ in Report(source: Source()) },
      Registration(Report.self) { _ in Report(source: Source()) }
        .suspending { (_, _: String) in Report(source: Source()) },
    ]
    for registration in faulty {
      let error = await #expect(throws: ResolutionError.self) { try await container.register { registration } }
      #expect(error?.code == .invalidRegistration)
    }
  }

  /// The declarations of a closure are no parameters: it may pass run-time arguments, and autowiring does not call it.
  @Test func keepTheirDeclarations() async throws {
    let container = Container {
      Registration(Source.self) { (_: Resolver, name: String) async in Source(name: name) }.dependsOn()
      Registration(Report.self) { r in Report(source: try r.resolve(arguments: "a")) }
        .dependsOn(Source.self)
        .suspending { r in Report(source: try await r.resolve(arguments: "a")) }
    }
    #expect(findings(container) == [])
    #expect(container.dependencyGraph().edges.map(\.kind) == [.declared])
    #expect(container.registrations[1].dependencies.map(\.description) == ["Source"])
    #expect(try await container.resolve(Report.self).source.name == "a")
    let error = #expect(throws: ResolutionError.self) { try resolveNow(Container { report() }) }
    #expect(error?.description.contains("Autowiring") == false)
    let alternatives = Container {
      Registration(autowired: Report.self) { (source: Source, _: Int) in Report(source: source) }
      report().alternative()
      Registration(Report.self) { _ in Report(source: Source(), title: "without declarations") }.alternative()
    }
    #expect(try resolveNow(alternatives).title == "without declarations")
  }

  @Test func areOnlyTwo() async throws {
    let mainActor = Registration(Report.self) { @MainActor r in Report(source: try r.resolve()) }.dependsOn(Source.self)
    for registration in [report(), mainActor.suspending { r in Report(source: try await r.resolve()) }] {
      let container = Container()
      try await container.register(registration)
      let error = await #expect(throws: ResolutionError.self) {
        try await container.register(registration.suspending { r in Report(source: try await r.resolve()) })
      }
      #expect(error?.code == .invalidRegistration)
      #expect(findings(container) == ["missingDependency: Report -> Source"])
    }
  }
}
