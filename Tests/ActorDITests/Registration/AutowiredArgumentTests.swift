import ActorDITestSupport
import Testing

@testable import ActorDI

private final class Report: Sendable {
  let title: String
  let pages: Int
  let alpha: Alpha
  init(title: String, alpha: Alpha, pages: Int) {
    self.title = title
    self.alpha = alpha
    self.pages = pages
  }
}

private struct Pair: Sendable {
  let left: String
  let right: String
}

private struct Numbers: Sendable {
  let number: UInt32
  let isLast: Bool
}

@MainActor private final class Panel {
  let title: String
  let alpha: Alpha
  init(title: String, alpha: Alpha) {
    self.title = title
    self.alpha = alpha
  }
}

private struct Page: Sendable {
  let number: Int
  let alpha: Alpha
  init(number: Int, alpha: Alpha) async {
    await Task.yield()
    self.number = number
    self.alpha = alpha
  }
}

extension ServiceKey where Service == Panel {
  fileprivate static var panel: Self { Self("panel") }
}

extension ServiceKey where Service == Page {
  fileprivate static var page: Self { Self("page") }
}

/// Autowired initialisers with run-time arguments among their parameters.
struct AutowiredArgumentTests {
  @Test func argumentsArePassedInTheListedOrder() async throws {
    let container = Container {
      Registration(autowired: Alpha.self, scope: .singleton, initializer: Alpha.init)
      Registration(
        autowired: Report.self, arguments: String.self, Int.self, initializer: Report.init)
      Registration(
        autowired: Report.self, arguments: Int.self, String.self, initializer: Report.init)
    }
    let alpha = try await container.resolve(Alpha.self)
    let first = try await container.resolve(Report.self, arguments: "first", 1)
    #expect(first.title == "first" && first.pages == 1 && first.alpha === alpha)
    let second = try sync { try container.resolve(Report.self, arguments: 2, "second") }
    #expect(second.title == "second" && second.pages == 2 && second.alpha === alpha)
    #expect(container.registrationCount == 3)
  }

  // A regression: the argument was read as an optional, whose mark lies beyond the end of the value.
  @Test func anArgumentMayBeANumber() throws {
    let container = Container {
      Registration(autowired: Numbers.self, arguments: UInt32.self, Bool.self, initializer: Numbers.init)
    }
    for number in 0..<64 as Range<UInt32> {
      fillFreeMemory()
      let numbers = try container.resolve(Numbers.self, arguments: number, true)
      #expect(numbers.number == number && numbers.isLast)
    }
  }

  @Test func unlistedParametersAreResolved() throws {
    let container = Container {
      Registration(autowired: Alpha.self, initializer: Alpha.init)
      Registration(Int.self) { _ in 40 }
      Registration(autowired: Report.self, arguments: String.self, initializer: Report.init)
    }
    let report = try container.resolve(Report.self, arguments: "title")
    #expect(report.pages == 40)
  }

  @Test func anArgumentFillsOnlyAParameterOfItsExactType() async throws {
    let container = Container {
      Registration(
        autowired: Setting.self, arguments: Int.self,
        initializer: { (number: Int, other: Int?) in Setting(number: number + (other ?? 100)) })
    }
    // The optional parameter is a dependency. No argument fills it, and nothing is registered for it.
    #expect(try await container.resolve(Setting.self, arguments: 1).number == 101)
  }

  @Test func allParametersCanBeArguments() async throws {
    let container = Container {
      Registration(
        autowired: Setting.self, scope: .singleton, arguments: Int.self,
        initializer: { (number: Int) in Setting(number: number) }
      ).key("k")
    }
    #expect(try await container.resolve(Setting.self, key: "k", arguments: 5).number == 5)
    #expect(try sync { try container.resolve(Setting.self, key: "k", arguments: 6) }.number == 5)
  }

  @Test func anAsynchronousDependencyIsAwaitedBesideArguments() async throws {
    let container = Container {
      Registration(Alpha.self) { _ in
        await Task.yield()
        return Alpha()
      }
      Registration(
        autowired: Report.self, arguments: Int.self, String.self, initializer: Report.init)
    }
    #expect(try await container.resolve(Report.self, arguments: 3, "t").pages == 3)
    let error = try resolutionError { try container.resolve(Report.self, arguments: 3, "t") }
    #expect(error.code == .asyncRequired)
    #expect(error.service == Alpha.self)
  }

  @Test func aMainActorInitializerTakesArguments() async throws {
    let container = Container {
      Registration(autowired: Alpha.self, scope: .singleton, initializer: Alpha.init)
      Registration(autowired: Panel.self, arguments: String.self, initializer: Panel.init)
      Registration(autowired: .panel, scope: .singleton, arguments: String.self, initializer: Panel.init)
        .perArguments()
    }
    try await container.autoregister(Panel.self, key: 1, arguments: String.self, initializer: Panel.init)
    let alpha = try await container.resolve(Alpha.self)
    let panel = try await container.resolve(Panel.self, arguments: "a")
    await MainActor.run { #expect(panel.title == "a" && panel.alpha === alpha) }
    let error = try sync { try resolutionError { try container.resolve(Panel.self, arguments: "b") } }
    #expect(error.code == .asyncRequired)
    let titles = try await MainActor.run {
      try [container.resolve(Panel.self, arguments: "b"), container.resolve(Panel.self, key: 1, arguments: "c")]
        .map(\.title)
    }
    #expect(titles == ["b", "c"])
    let kept = try await container.resolve(.panel, arguments: "d")
    #expect(try sync { try container.resolve(.panel, arguments: "d") } === kept)
    #expect(try await container.resolve(.panel, arguments: "e") !== kept)
    _ = try await container.validate()
  }

  @Test func anAsynchronousInitializerTakesArguments() async throws {
    let container = Container {
      Registration(autowired: Alpha.self, scope: .singleton, initializer: Alpha.init)
      Registration(autowired: Page.self, arguments: Int.self, initializer: Page.init)
      Registration(autowired: .page, scope: .singleton, arguments: Int.self, initializer: Page.init)
    }
    try await container.autoregister(Page.self, key: 1, arguments: Int.self, initializer: Page.init)
    let alpha = try await container.resolve(Alpha.self)
    let page = try await container.resolve(Page.self, arguments: 1)
    #expect(page.number == 1 && page.alpha === alpha)
    #expect(try await container.resolve(Page.self, key: 1, arguments: 2).number == 2)
    #expect(try resolutionError { try container.resolve(.page, arguments: 3) }.code == .asyncRequired)
    #expect(try await container.resolve(.page, arguments: 3).number == 3)
    #expect(try sync { try container.resolve(.page, arguments: 4) }.number == 3)
  }
}

/// Run-time arguments that cannot be matched with an initialiser's parameters.
struct AmbiguousArgumentTests {
  private static let matchedTwice = Registration(
    autowired: Pair.self, arguments: String.self, initializer: Pair.init)
  private static let listedTwice = Registration(
    autowired: Report.self, arguments: String.self, String.self, initializer: Report.init)
  private static let matchedByNone = Registration(
    autowired: Report.self, arguments: Double.self, initializer: Report.init)

  @Test func registerThrowsAndLeavesTheContainerUnchanged() async throws {
    let container = Container { Alpha() }
    let error = try await asyncResolutionError {
      try await container.register {
        Beta(alpha: Alpha())
        Self.matchedTwice
        Setting()
      }
    }
    #expect(error.code == .ambiguousArguments)
    #expect(error.service == Pair.self)
    #expect(container.registrations.map { "\($0.service)" } == ["Alpha"])
    #expect(!container.contains(Beta.self) && !container.contains(Setting.self))
  }

  @Test func everyFormOfRegisterThrows() async throws {
    let container = Container()
    let single = try await asyncResolutionError { try await container.register(Self.listedTwice) }
    #expect(single.code == .ambiguousArguments)
    let short = try await asyncResolutionError {
      try await container.autoregister(
        Pair.self, arguments: String.self, initializer: Pair.init)
    }
    #expect(short.code == .ambiguousArguments)
    let isolated = try await asyncResolutionError {
      try await container.autoregister(Panel.self, arguments: Int.self, initializer: Panel.init)
    }
    #expect(isolated.description.contains("(String, Alpha) -> Panel"))
    let asynchronous = try await asyncResolutionError {
      try await container.autoregister(Page.self, arguments: Int.self, Int.self, initializer: Page.init)
    }
    #expect(asynchronous.code == .ambiguousArguments)
    #expect(container.registrationCount == 0)
  }

  @Test func theDescriptionNamesTheInitializerAndTheReason() {
    let twice = Self.matchedTwice.binding.descriptor.fault?.description ?? ""
    #expect(twice.contains("Pair"))
    #expect(twice.contains("(String, String) -> Pair"))
    #expect(twice.contains("2 of its parameters have the type of the one argument String"))
    let listed = Self.listedTwice.binding.descriptor.fault?.description ?? ""
    #expect(listed.contains("String is listed twice"))
    let none = Self.matchedByNone.binding.descriptor.fault?.description ?? ""
    #expect(none.contains("no parameter for the argument Double"))
    #expect(
      Registration(autowired: Report.self, arguments: Int.self, initializer: Report.init).binding.descriptor.options
        .fault
        == nil)
  }

  @Test func aFaultInTheFirstBatchIsThrownByTheResolve() async throws {
    let container = Container {
      Alpha()
      Self.matchedTwice
      Setting(number: 5)
    }
    #expect(container.registrationCount == 3)
    let error = try await asyncResolutionError {
      try await container.resolve(Pair.self, arguments: "a")
    }
    #expect(error.code == .ambiguousArguments)
    #expect(error.service == Pair.self)
    let synchronous = try resolutionError { try container.resolve(Pair.self, arguments: "a") }
    #expect(synchronous.code == .ambiguousArguments)
    #expect(try await container.resolve(Setting.self).number == 5)
  }

  @Test func eachResolveOfAKeptServiceThrowsTheFault() async throws {
    let container = Container {
      Registration(
        autowired: Pair.self, scope: .singleton, arguments: String.self, initializer: Pair.init
      ).key("k")
    }
    for _ in 1...2 {
      let error = try await asyncResolutionError {
        try await container.resolve(Pair.self, key: "k", arguments: "a")
      }
      #expect(error.code == .ambiguousArguments)
    }
  }
}
