public import ActorDI
public import Testing

/// Gives each test a container of its own as ``ActorDI/Container/current``, and replaces registrations for it: see
/// ``Testing/Trait/container(_:)`` and ``Testing/Trait/container(overriding:_:)``.
///
/// ```swift
/// @Suite(.container { Registration((any Payments).self, scope: .singleton) { _ in FreePayments() } })
/// struct ShopTests {
///   @Injected var shop: Shop
///
///   @Test func ordersArePaid() async throws { … }
///
///   @Test(.container { Registration((any Payments).self) { _ in BrokenPayments() } })
///   func brokenPayments() async throws { … }
/// }
/// ```
///
/// Each test, and each case of a parameterised one, has its own instances; whatever runs beside it neither sees nor shares them, singletons
/// included. What one trait registers, those on the suites around it do not see; its own test sees both, the nearest first. At the end of the
/// test, what was made for it is disposed of; a failure of that fails the test.
public struct ContainerTrait: TestTrait, SuiteTrait, TestScoping {
  /// Nil: the one that is current where the test runs.
  private let container: (@Sendable () -> Container)?
  private let registrations: @Sendable () async throws -> Registrations

  init(
    _ container: (@Sendable () -> Container)?,
    _ registrations: @escaping @Sendable () async throws -> Registrations
  ) {
    self.container = container
    self.registrations = registrations
  }

  /// A suite's trait is for each of its tests, not for the suite as a whole.
  public var isRecursive: Bool { true }

  /// Runs a test with its container.
  ///
  /// - Parameters:
  ///   - test: the test.
  ///   - testCase: the case of it.
  ///   - function: runs it.
  /// - Throws: what the registrations throw, or `function`; a ``ActorDI/ShutdownError`` when something could not be disposed of.
  @concurrent
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let services = UnimplementedServices()
    // Before all that could fail: what was resolved until then is part of the story.
    defer { services.report() }
    try await UnimplementedServices.$current.withValue(services) {
      let container = container?() ?? .current
      let registrations = try await registrations()
      try await container.withOverrides {
        registrations
      } operation: {
        // What the test registers in its current container goes with the test.
        try await container.withScope("test") { scope in
          try await Container.withCurrent(scope) { try await function() }
        }
      }
    }
  }
}

extension Trait where Self == ContainerTrait {
  /// A container for the test alone, as ``ActorDI/Container/current``: it has these registrations, and what the container has that
  /// was current outside.
  ///
  /// - Parameter registrations: evaluated for each test; may do what is needed for that, asynchronously, and throw, which fails the test.
  /// - Returns: the trait.
  public static func container(
    @RegistrationBuilder _ registrations: @escaping @Sendable () async throws -> Registrations
  ) -> Self {
    ContainerTrait(nil, registrations)
  }

  /// The same for a given container: for the test, it and all that looks in it resolve these registrations first.
  ///
  /// ```swift
  /// @Test(.container(overriding: App.container) { Registration((any Clock).self) { _ in StoppedClock() } })
  /// func nothingHappensAtNight() async throws { … App.container … }
  /// ```
  ///
  /// - Parameters:
  ///   - container: the container that the code under test uses. It is not changed, and other tests do not see the overrides.
  ///   - registrations: evaluated for each test; may do what is needed for that, asynchronously, and throw, which fails the test.
  /// - Returns: the trait.
  public static func container(
    overriding container: @autoclosure @escaping @Sendable () -> Container,
    @RegistrationBuilder _ registrations: @escaping @Sendable () async throws -> Registrations = {
      Registrations()
    }
  ) -> Self {
    ContainerTrait(container, registrations)
  }
}
