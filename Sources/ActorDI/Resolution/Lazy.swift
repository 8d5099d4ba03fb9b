/// A service that is resolved when it is first used, and once.
///
/// Ask for one where a service is not always needed, or where two services need each other:
///
/// ```swift
/// final class Parent: Sendable { init(child: Lazy<Child>) { … } }
/// final class Child: Sendable { init(parent: Parent) { … } }
/// ```
///
/// It shares the `.graph` instances of the resolve that it was made in. It keeps its container alive until it is
/// resolved; from then on it holds the service, as a property would. Two kept services with lazies of each other hold each other.
///
/// In a synchronous closure inside an asynchronous function, write `lazy.callAsFunction()`: the compiler chooses between the two forms of an
/// implicit call by the function, not by the closure.
public struct Lazy<Service: Sendable>: Sendable {
  private let origin: LaterOrigin
  private let request: LaterRequest<Service>
  private let cell: OnceCell

  init(_ resolver: Resolver, _ request: LaterRequest<Service>) {
    origin = LaterOrigin(dependencyOf: resolver)
    self.request = request
    cell = OnceCell(lazily: request.identity)
  }

  /// The service; resolved now, if it has not been before.
  ///
  /// - Returns: the same instance each time.
  /// - Throws: what the resolve throws. A failed resolve is tried again at the next call.
  /// - Concurrency: from any thread; however many call at once, it is resolved once.
  public func callAsFunction() throws -> Service {
    let chain = Resolver.chainOfCaller
    let instance = try cell.instance(for: chain, mode: .inline) { attempt in
      let call = try origin.call(for: cell.identity, parent: chain.frame, attempt: attempt)
      return try OverrideLayer.holding(origin.overrides) { product(try request.make(call.resolver)) }
    }
    return try service(instance)
  }

  /// The service; resolved now, if it has not been before, suspending where it is built asynchronously.
  ///
  /// - Returns: the same instance each time.
  /// - Throws: what the resolve throws. A failed resolve is tried again at the next call.
  /// - Concurrency: from any task; however many call at once, it is resolved once.
  public func callAsFunction() async throws -> Service {
    let parent = ResolutionFrame.ofCurrentTask
    let instance = try await cell.instance(for: Chain(parent), mode: .task) { _ in
      throw ResolutionError(.asyncRequired, for: cell.identity)
    } task: { attempt in
      let call = try origin.call(for: cell.identity, parent: parent, attempt: attempt)
      return try await OverrideLayer.holding(origin.overrides) {
        product(try await request.makeAsync(call.resolver))
      }
    }
    return try service(instance)
  }

  private func product(_ service: Service) -> Product {
    Product(instance: Instance(holding: service))
  }

  private func service(_ instance: Instance?) throws -> Service {
    // A lazy's own cell is never retired.
    guard let instance else { throw ResolutionError(.closed, for: cell.identity) }
    origin.letGo()
    return instance.value()
  }
}

extension Lazy: RelationshipType {
  static func dependency(key: Key?) -> Dependency {
    Dependency(ServiceIdentity(Service.self, key: key), .deferred)
  }

  static func resolve<each Argument: Sendable>(
    from resolver: Resolver, key: Key?, arguments: repeat each Argument
  ) throws -> Instance {
    Instance(holding: Lazy(resolver, LaterRequest(key, repeat each arguments)))
  }

  static func resolve<each Argument: Sendable>(
    from resolver: Resolver, key: Key?, arguments: repeat each Argument
  ) async throws -> Instance {
    Instance(holding: Lazy(resolver, LaterRequest(key, repeat each arguments)))
  }
}
