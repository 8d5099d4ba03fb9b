/// A property whose value is resolved from the current container on first use.
///
/// ```swift
/// final class SignUp {
///   @Injected var users: any UserStore
///   @Injected(key: "audit") var log: any Log
///   @Injected(.replica) var replica: (any Database)?  // nil if it cannot be resolved
///   @Injected var plugins: [any Plugin]  // all there are
///   @Injected(arguments: "Ada") var greeting: Greeting
///   @Injected(from: container) var time: any TimeSource
/// }
///
/// final class Audit: Sendable {
///   let users = Injected<any UserStore>()  // where a `var` is not allowed
///   func check() async throws { try await users().check() }
/// }
/// ```
///
/// *The container.* The property resolves from ``Container/current`` at the time of the first use, unless it is given a container. It
/// holds a given container only until the first successful load. So a service may have properties that are injected from the
/// container that keeps it. A reload resolves from the same container.
///
/// *Overrides.* A property that is created in an operation of `withOverrides` is loaded from the overrides, also after the operation.
///
/// *Missing services.* A property can neither throw nor suspend. If its service cannot be resolved, for whatever reason, the value
/// is nil for `T?` and empty for `[T]`: `try $users()` throws the error. `[Key: T]` is empty if nothing is registered. In all
/// other cases the program ends with the error and the place of the property. Whatever the type, it also ends if the service is
/// built asynchronously and was not loaded before. If the service may be missing, load it first, or call the wrapper instead:
/// `try await $users()`.
///
/// *The projection* is the wrapper: ``isLoaded``, `loadIfNeeded()`, `reload()`, ``autoreload(_:)``.
///
/// *In an `@Observable` class*, which turns its variables into computed properties, write `@ObservationIgnored` before the property,
/// or use a constant:
///
/// ```swift
/// @Observable @MainActor final class SignUpModel {
///   @ObservationIgnored @Injected var users: any UserStore
///   let log = Injected<any Log>()
///   var name = ""
/// }
/// ```
///
/// The property itself is then not observed; an `@Observable` model in it is.
///
/// In a synchronous closure inside an asynchronous function, write `users.callAsFunction()`: the compiler selects the form of an
/// implicit call by the enclosing function, not by the closure.
///
/// - Concurrency: Sendable if the service is; the property can then be used from any thread. Concurrent first uses resolve the
///   service once. Copies share the value, including copies of a structure with such a property.
@propertyWrapper
public struct Injected<Service> {
  @usableFromInline let ownStorage: InjectionStorage<Service>
  private var storage: InjectionStorage<Service> { ownStorage.inForce }
  private let source: RegistrationSource

  init(_ request: DeferredRequest, from container: Container?, at source: RegistrationSource) {
    ownStorage = InjectionStorage(request, from: container, under: OverrideLayer.active)
    self.source = source
  }

  /// Injects a service by its type.
  ///
  /// - Parameters:
  ///   - container: The container to resolve from; ``Container/current`` at the first use if nil.
  ///   - fileID: The file of the property, for error messages.
  ///   - line: The line of the property, for error messages.
  // Declared in the type itself: for a property wrapper without parentheses, the compiler looks nowhere else.
  public init(from container: Container? = nil, fileID: StaticString = #fileID, line: UInt = #line) {
    self.init(DeferredRequest(Service.self, key: nil), from: container, at: RegistrationSource(fileID, line))
  }

  // The forms of a read are emitted into the client, which is specialised for the service's type, like a resolve that finds an instance.

  /// The service, resolved on first use.
  ///
  /// - Complexity: O(1) for a service that is loaded. Such a read takes no lock.
  @_alwaysEmitIntoClient
  public var wrappedValue: Service {
    if let found = ownStorage.lookup() { return found.hit(Service.self) }
    return valueOrStop()
  }

  /// The value of the property if a read must do more than copy an instance.
  @usableFromInline
  func valueOrStop() -> Service {
    do {
      return try storage.valueOfProperty()
    } catch {
      let isAsynchronous = (error as? ResolutionError)?.code == .asyncRequired
      if !isAsynchronous, let absent = Self.absent { return absent }
      (error as? any IssueOfTest)?.recordNow()
      // Not a `preconditionFailure`, which prints no message in optimised builds.
      fatalError(message(for: error, isAsynchronous), file: source.fileID, line: UInt(source.line))
    }
  }

  /// The value if the service cannot be resolved; nil if that is an error.
  private static var absent: Service? { RelationshipTypes.relationship(Service.self)?.absent as? Service }

  /// The wrapper.
  public var projectedValue: Injected { self }

  private func message(for error: any Error, _ isAsynchronous: Bool) -> String {
    let advice =
      "An injected service that is built asynchronously has to be loaded before its first use, "
      + "by 'try await $property.loadIfNeeded()'."
    let lines = ["@Injected \(TypeName.full(Service.self)) cannot be resolved.", "\(error)"]
    return (isAsynchronous ? lines + [advice] : lines).joined(separator: "\n")
  }

  // MARK: Loading

  /// Returns the service. Resolves it on first use.
  ///
  /// - Throws: The error of the resolve. The next call after a failure resolves again.
  /// - Complexity: O(1) for a service that is loaded.
  /// - Concurrency: As `resolve(_:)`.
  @_alwaysEmitIntoClient
  public func callAsFunction() throws -> Service {
    if let found = ownStorage.lookup() { return found.hit(Service.self) }
    return try value()
  }

  /// Returns the service. Resolves it on first use, and suspends if it is built asynchronously.
  ///
  /// - Throws: The error of the resolve. The next call after a failure resolves again.
  /// - Complexity: O(1) for a service that is loaded.
  /// - Concurrency: As `resolve(_:)`.
  @_alwaysEmitIntoClient
  public nonisolated(nonsending) func callAsFunction() async throws -> Service {
    if let found = ownStorage.lookup() { return found.hit(Service.self) }
    return try await value()
  }

  @usableFromInline
  func value() throws -> Service { try storage.value() }

  @usableFromInline
  nonisolated(nonsending) func value() async throws -> Service { try await storage.value() }

  /// Whether the service has been resolved.
  public var isLoaded: Bool { storage.isLoaded }

  /// Resolves the service unless it is loaded.
  ///
  /// - Throws: The error of the resolve. The next call after a failure resolves again.
  public func loadIfNeeded() throws { _ = try storage.value() }

  /// Resolves the service unless it is loaded. Suspends if it is built asynchronously.
  ///
  /// - Throws: The error of the resolve. The next call after a failure resolves again.
  public nonisolated(nonsending) func loadIfNeeded() async throws { _ = try await storage.value() }

  /// Resolves the service again. A kept instance remains the same.
  ///
  /// - Throws: The error of the resolve. The property then keeps its value.
  public func reload() throws {
    storage.renew()
    try loadIfNeeded()
  }

  /// Resolves the service again, and suspends if it is built asynchronously. Until the resolve is complete, the property keeps its
  /// value.
  ///
  /// - Throws: The error of the resolve. The property then keeps its value.
  public nonisolated(nonsending) func reload() async throws {
    storage.renew()
    try await loadIfNeeded()
  }

  /// Makes the property follow changes of its container's registry.
  ///
  /// After a registration is added or removed, the next use resolves the service again. This covers the container and every container
  /// that it searches, and changes of its links.
  ///
  /// If the resolve fails, the property keeps its value. If it must suspend, the property keeps its value until the
  /// resolve is complete; `try await loadIfNeeded()` waits for that. Following keeps neither the container nor the
  /// property's owner alive.
  ///
  /// - Parameter isOn: false to stop following.
  public func autoreload(_ isOn: Bool = true) { storage.followChanges(isOn) }
}

extension Injected: Sendable where Service: Sendable {}
