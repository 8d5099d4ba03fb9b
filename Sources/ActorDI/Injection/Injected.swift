/// A property whose value is resolved from the current container when it is first used.
///
/// ```swift
/// final class SignUp {
///   @Injected var users: any UserStore
///   @Injected(key: "audit") var log: any Log
///   @Injected(.replica) var replica: (any Database)?          // nil where it is not registered
///   @Injected var plugins: [any Plugin]                       // all there are
///   @Injected(arguments: "Ada") var greeting: Greeting
///   @Injected(from: container) var clock: any Clock
/// }
///
/// final class Audit: Sendable {
///   let users = Injected<any UserStore>()                     // where a `var` is not allowed
///   func check() async throws { try await users().check() }
/// }
/// ```
///
/// *Where from.* From ``Container/current`` at the time of the first use, unless a container is given. Such a container
/// is held until then, and not any more after that: a service may have properties that are injected from the very container that keeps it.
/// A reload resolves from the same container.
///
/// *When there is nothing.* A property can neither throw nor suspend. What cannot be resolved is nil for `T?` and empty for `[T]` and `[Key: T]`;
/// for any other type, and for a service that is built asynchronously and was not loaded before, the program ends with the error and
/// the place of the property. Where that is not certain, load it first, or call the wrapper instead: `try await $users()`.
///
/// *The projection* is the wrapper itself: ``isLoaded``, `loadIfNeeded()`, `reload()`, ``autoreload(_:)``.
///
/// *In an `@Observable` class*, which makes computed properties of its variables, write `@ObservationIgnored` before the property, or use a constant:
///
/// ```swift
/// @Observable @MainActor final class SignUpModel {
///   @ObservationIgnored @Injected var users: any UserStore
///   let log = Injected<any Log>()
///   var name = ""
/// }
/// ```
///
/// The property itself is not observed then; a model in it that is `@Observable` is.
///
/// In a synchronous closure inside an asynchronous function, write `users.callAsFunction()`: the compiler chooses between the two
/// forms of an implicit call by the function, not by the closure.
///
/// - Concurrency: Sendable if the service is; can be used from any thread then. However many use it at the same time, it is
///   resolved once. Copies of it, as in copies of a structure that has such a property, are the same property.
@propertyWrapper
public struct Injected<Service> {
  private let ownStorage: InjectionStorage<Service>
  private var storage: InjectionStorage<Service> { ownStorage.inForce }
  private let source: RegistrationSource

  init(_ request: LaterRequest<Service>, from container: Container?, at source: RegistrationSource) {
    ownStorage = InjectionStorage(request, from: container)
    self.source = source
  }

  /// Injects a service by its type.
  ///
  /// - Parameters:
  ///   - container: where from; the current container if nil.
  ///   - fileID: where the property stands.
  ///   - line: where the property stands.
  // In the type itself: for a property without parentheses, the compiler looks nowhere else.
  public init(
    from container: Container? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(LaterRequest(nil), from: container, at: RegistrationSource(fileID, line))
  }

  /// The service; resolved now, if it has not been before.
  public var wrappedValue: Service {
    do {
      return try storage.valueOfProperty()
    } catch {
      let isAsynchronous = (error as? ResolutionError)?.code == .asyncRequired
      if !isAsynchronous, let absent = LaterRequest<Service>.absent { return absent }
      // Not a `preconditionFailure`, which says nothing in an optimised program.
      fatalError(message(for: error, isAsynchronous), file: source.fileID, line: UInt(source.line))
    }
  }

  /// The wrapper itself.
  public var projectedValue: Injected { self }

  private func message(for error: any Error, _ isAsynchronous: Bool) -> String {
    var lines = ["@Injected \(TypeName.full(Service.self)) cannot be resolved.", "\(error)"]
    if isAsynchronous {
      lines.append(
        "An injected service that is built asynchronously has to be loaded before its first use, "
          + "by 'try await $property.loadIfNeeded()'.")
    }
    return lines.joined(separator: "\n")
  }
}

extension Injected: Sendable where Service: Sendable {}

extension Injected {
  /// The service; resolved now, if it has not been before.
  ///
  /// - Throws: what the resolve throws. A failed resolve is tried again at the next call.
  /// - Concurrency: as `resolve(_:)`.
  public func callAsFunction() throws -> Service { try storage.value() }

  /// The service; resolved now, if it has not been before, suspending where it is built asynchronously.
  ///
  /// - Throws: what the resolve throws. A failed resolve is tried again at the next call.
  /// - Concurrency: as `resolve(_:)`.
  public nonisolated(nonsending) func callAsFunction() async throws -> Service {
    try await storage.value()
  }

  /// Whether the service has been resolved.
  public var isLoaded: Bool { storage.isLoaded }

  /// Resolves the service, if it has not been before.
  ///
  /// - Throws: what the resolve throws. A failed resolve is tried again at the next call.
  public func loadIfNeeded() throws { _ = try storage.value() }

  /// Resolves the service, if it has not been before, suspending where it is built asynchronously.
  ///
  /// - Throws: what the resolve throws. A failed resolve is tried again at the next call.
  public nonisolated(nonsending) func loadIfNeeded() async throws { _ = try await storage.value() }

  /// Resolves the service anew: an instance that its container keeps is the same again.
  ///
  /// - Throws: what the resolve throws. The property keeps its value then.
  public func reload() throws {
    storage.renew()
    try loadIfNeeded()
  }

  /// Resolves the service anew, suspending where it is built asynchronously. Until then, the property keeps its value.
  ///
  /// - Throws: what the resolve throws. The property keeps its value then.
  public nonisolated(nonsending) func reload() async throws {
    storage.renew()
    try await loadIfNeeded()
  }

  /// Lets the property follow its container's registry: when something was registered or removed since it was resolved, in
  /// the container or in what that one looks in, or what it looks in has changed, the next use resolves it anew.
  ///
  /// Where that fails, the property keeps its value. Where it has to suspend, the property keeps its value until that is done, which
  /// `try await loadIfNeeded()` waits for. Neither container nor owner is kept alive by it.
  ///
  /// - Parameter isOn: false ends it.
  public func autoreload(_ isOn: Bool = true) { storage.followChanges(isOn) }
}
