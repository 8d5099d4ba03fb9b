public import ActorDI
public import Testing

/// Gives each test a separate container as ``ActorDI/Container/current``, and overrides registrations for it.
///
/// See ``Testing/Trait/container(strict:sourceLocation:_:)`` and ``Testing/Trait/container(overriding:strict:sourceLocation:_:)``.
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
/// Each test, and each case of a parameterised test, has its own instances of what the overrides reach: the overriding services, and those
/// made from them, singletons included. Concurrent tests neither see nor share these. Tests that override one container share its other
/// singletons. The test sees the registrations of all enclosing traits, the innermost first. A service of an outer trait, or of the
/// container itself, is built with them, too. At the end of the test, the trait disposes of the instances made for it. A failed disposal
/// fails the test.
public struct ContainerTrait: TestTrait, SuiteTrait, TestScoping {
  /// The container to override; nil for the current container of the test.
  private let container: (@Sendable () -> Container)?
  private let isStrict: Bool
  private let registrations: @Sendable () async throws -> Registrations
  private let sourceLocation: SourceLocation

  init(
    _ container: (@Sendable () -> Container)?, isStrict: Bool,
    _ registrations: @escaping @Sendable () async throws -> Registrations, at sourceLocation: SourceLocation
  ) {
    self.container = container
    self.isStrict = isStrict
    self.registrations = registrations
    self.sourceLocation = sourceLocation
  }

  /// The container that a trait overrides, and the scope that it has made current.
  private struct Enclosing: Sendable {
    let container: Container
    let scope: Container
  }

  @TaskLocal private static var enclosing: Enclosing?

  /// The container that the enclosing trait overrides, while its scope is current. Overriding the scope would not reach the singletons of
  /// the container.
  private static var containerOfEnclosingTrait: Container? {
    enclosing.flatMap { $0.scope === Container.current ? $0.container : nil }
  }

  /// True: the trait of a suite applies to each of its tests, not to the suite as a whole.
  public var isRecursive: Bool { true }

  /// Runs a test with its container.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - testCase: The case of a parameterised test.
  ///   - function: Runs the test.
  /// - Throws: An error of the registrations or of `function`; a ``ActorDI/ShutdownError`` if a disposal fails.
  @concurrent
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let uses = ForbiddenUses()
    // Deferred first, so that forbidden uses are reported even if a later step fails.
    defer { uses.report() }
    let strictness = Strictness { [sourceLocation] error in
      let use = ExternalUse(error: error, use: ForbiddenUse(at: sourceLocation))
      uses.note(use)
      return use
    }
    try await ForbiddenUses.$current.withValue(uses) {
      let container = container?() ?? Self.containerOfEnclosingTrait ?? .current
      let registrations = try await registrations()
      try await container.withOverrides(registrations, isStrict ? strictness : nil) {
        // The scope ends with the test, and with it the registrations that the test adds to its current container.
        try await container.withScope("test") { scope in
          try await Self.$enclosing.withValue(Enclosing(container: container, scope: scope)) {
            try await Container.withCurrent(scope) { try await function() }
          }
        }
      }
    }
  }
}

extension Trait where Self == ContainerTrait {
  /// Gives the test a separate container as ``ActorDI/Container/current``.
  ///
  /// The container has these registrations, and otherwise those of the container that is current outside the test.
  ///
  /// ```swift
  /// @Suite(.container(strict: true) { Registration((any Payments).self) { _ in FreePayments() } })
  /// struct ShopTests { … }
  /// ```
  ///
  /// A strict test fails if it resolves a service that is registered as ``ActorDI/Registration/external()``, unless a trait or the test
  /// overrides it. The issue contains the resolution path and the line of the registration. The tests within a strict suite are strict.
  ///
  /// - Parameters:
  ///   - isStrict: Whether the test must not use external services.
  ///   - sourceLocation: The location of the issues of a strict test.
  ///   - registrations: Evaluated for each test. The closure may be asynchronous and may throw; an error fails the test.
  /// - Returns: The trait.
  public static func container(
    strict isStrict: Bool = false, sourceLocation: SourceLocation = #_sourceLocation,
    @RegistrationBuilder _ registrations: @escaping @Sendable () async throws -> Registrations = { Registrations() }
  ) -> Self {
    ContainerTrait(nil, isStrict: isStrict, registrations, at: sourceLocation)
  }

  /// Overrides registrations of a container for the test.
  ///
  /// During the test, the container and every container that searches it resolve these registrations first.
  ///
  /// ```swift
  /// @Test(.container(overriding: App.container) { Registration((any Clock).self) { _ in StoppedClock() } })
  /// func nothingHappensAtNight() async throws { … App.container … }
  /// ```
  ///
  /// - Parameters:
  ///   - container: The container that the code under test uses. It is not changed, and other tests do not see the overrides.
  ///   - isStrict: Whether the test must not use external services; see ``container(strict:sourceLocation:_:)``.
  ///   - sourceLocation: The location of the issues of a strict test.
  ///   - registrations: Evaluated for each test. The closure may be asynchronous and may throw; an error fails the test.
  /// - Returns: The trait.
  public static func container(
    overriding container: @autoclosure @escaping @Sendable () -> Container,
    strict isStrict: Bool = false, sourceLocation: SourceLocation = #_sourceLocation,
    @RegistrationBuilder _ registrations: @escaping @Sendable () async throws -> Registrations = { Registrations() }
  ) -> Self {
    ContainerTrait(container, isStrict: isStrict, registrations, at: sourceLocation)
  }
}
