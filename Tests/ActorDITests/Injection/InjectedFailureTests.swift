import ActorDI
import ActorDITestSupport
import Testing

private protocol Absent: Sendable {}

private struct Wishes {
  @Injected var absent: any Absent
  @Injected var late: Probe
  @Injected var lateIfAny: Probe?
}

/// A property that cannot have a value stops the program with a message.
@Suite("Injected properties without a value", .timeLimit(.minutes(5)))
struct InjectedFailureTests {
  private func output(of result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  @Test func aMissingServiceStopsTheProgram() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let wishes = Wishes()
      Container.withCurrent(Container(name: "empty")) { _ = wishes.absent }
    }
    let text = output(of: result)
    #expect(text.contains("InjectedFailureTests.swift:8: Fatal error:"), "\(text)")
    #expect(text.contains("any ActorDIInjectionTests."), "\(text)")
    #expect(text.contains("Absent is not registered in container \"empty\"."), "\(text)")
  }

  @Test func anUnloadedAsynchronousServiceStopsTheProgram() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let wishes = Wishes()
      Container.withCurrent(asynchronous) { _ = wishes.late }
    }
    let text = output(of: result)
    #expect(text.contains("InjectedFailureTests.swift:9: Fatal error:"), "\(text)")
    #expect(text.contains("Probe is built asynchronously"), "\(text)")
    #expect(text.contains("has to be loaded before its first use, by 'try await $property.loadIfNeeded()'"))
  }

  @Test func anUnloadedOptionalAsynchronousServiceStopsTheProgram() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let wishes = Wishes()
      Container.withCurrent(asynchronous) { _ = wishes.lateIfAny }
    }
    #expect(output(of: result).contains("'try await $property.loadIfNeeded()'"))
  }
}

private let asynchronous = Container {
  Registration(Probe.self) { _ in
    await Task.yield()
    return Probe()
  }
}
