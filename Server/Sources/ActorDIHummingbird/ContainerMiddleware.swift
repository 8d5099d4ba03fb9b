public import ActorDI
public import Hummingbird

/// Opens a scope of a container for each request.
///
/// ```swift
/// let router = Router(context: AppContext.self)
/// router.add(middleware: ContainerMiddleware(app))
/// router.get("/orders/:id") { request, context in
///   try await context.container.resolve(OrderHandler.self).respond()
/// }
/// ```
///
/// The scope is the request's `Container.current`, and with a ``ContainerRequestContext`` its `container`. By default, the scope has the
/// request as a service; `registrations` can add others, such as the user.
///
/// The scope ends with the response. Its disposers learn the outcome: the error of the handler, or its cancellation. They run before the
/// response is sent if its body is at most `collecting` bytes long, so that a failed commit becomes an error response. A longer body, or one
/// of unknown length, is streamed: its scope stays open until the body is written, or dropped. Errors of these disposers are logged, except
/// those after a dropped body.
///
/// During a graceful shutdown, the container waits for the scopes: see `Container.shutdown(timeout:)`. If its time is up before the response
/// begins, the response has status 503. A handler may close the scope of its request itself, for example by ending the key of the scopes.
///
/// ## Scopes by key
///
/// A middleware with `KeyedScopes` opens the scope of a request below the scope of its key, such as that of its tenant:
///
/// ```swift
/// let tenants = app.keyedScopes("tenant", idleFor: .seconds(600)) { (id: TenantID) in
///   Registration(instance: Tenant(id: id))
/// }
/// router.add(middleware: ContainerMiddleware(tenants) { request, context in
///   guard let name = request.head.authority?.split(separator: ".").first else { throw HTTPError(.badRequest) }
///   return TenantID(name)
/// })
/// ```
///
/// Requests of the same key share the services of the key's scope. A request uses that scope until its own scope has ended: with a streamed
/// body, until the body is written or dropped. If the closure throws, the request fails with this error, and opens no scope.
public struct ContainerMiddleware<Context: RequestContext>: RouterMiddleware {
  /// Calls a function with the container in which the scope of a request opens.
  private let withParent: Parent
  private let name: ScopeName
  private let limit: Int
  private let registrations: @Sendable (Request, Context) -> Registrations
  private let provide: @Sendable (Container, inout Context) -> Void

  /// Creates a middleware whose scopes the handlers find as `Container.current`.
  ///
  /// - Parameters:
  ///   - container: The container that has the registrations of the application.
  ///   - name: The name of the scopes.
  ///   - collecting: The maximum length of a body, in bytes, that is written before the scope ends.
  ///   - registrations: The registrations of a request's scope; by default, the request.
  public init(
    _ container: Container, name: ScopeName = "request", collecting limit: Int = 1 << 16,
    @RegistrationBuilder registrations: @escaping @Sendable (Request, Context) -> Registrations = { request, _ in
      Registrations { Registration(instance: request) }
    }
  ) {
    self.init(Self.always(container), name, limit, registrations) { _, _ in }
  }

  /// Creates a middleware whose scopes the handlers find in their context, and as `Container.current`.
  ///
  /// - Parameters:
  ///   - container: The container that has the registrations of the application.
  ///   - name: The name of the scopes.
  ///   - collecting: The maximum length of a body, in bytes, that is written before the scope ends.
  ///   - registrations: The registrations of a request's scope; by default, the request.
  public init(
    _ container: Container, name: ScopeName = "request", collecting limit: Int = 1 << 16,
    @RegistrationBuilder registrations: @escaping @Sendable (Request, Context) -> Registrations = { request, _ in
      Registrations { Registration(instance: request) }
    }
  ) where Context: ContainerRequestContext {
    self.init(Self.always(container), name, limit, registrations) { $1.container = $0 }
  }

  /// Creates a middleware that opens its scopes below those of a key. The handlers find them as `Container.current`.
  ///
  /// - Parameters:
  ///   - scopes: The scopes by key.
  ///   - name: The name of a request's scope.
  ///   - collecting: The maximum length of a body, in bytes, that is written before the scope ends.
  ///   - key: Returns the key of a request. If it throws, the request fails with that error.
  ///   - registrations: The registrations of a request's scope; by default, the request.
  public init<Key>(
    _ scopes: KeyedScopes<Key>, name: ScopeName = "request", collecting limit: Int = 1 << 16,
    key: @escaping @Sendable (Request, Context) async throws -> Key,
    @RegistrationBuilder registrations: @escaping @Sendable (Request, Context) -> Registrations = { request, _ in
      Registrations { Registration(instance: request) }
    }
  ) {
    self.init(Self.keyed(scopes, by: key), name, limit, registrations) { _, _ in }
  }

  /// Creates a middleware that opens its scopes below those of a key. The handlers find them in their context, and as `Container.current`.
  ///
  /// - Parameters:
  ///   - scopes: The scopes by key.
  ///   - name: The name of a request's scope.
  ///   - collecting: The maximum length of a body, in bytes, that is written before the scope ends.
  ///   - key: Returns the key of a request. If it throws, the request fails with that error.
  ///   - registrations: The registrations of a request's scope; by default, the request.
  public init<Key>(
    _ scopes: KeyedScopes<Key>, name: ScopeName = "request", collecting limit: Int = 1 << 16,
    key: @escaping @Sendable (Request, Context) async throws -> Key,
    @RegistrationBuilder registrations: @escaping @Sendable (Request, Context) -> Registrations = { request, _ in
      Registrations { Registration(instance: request) }
    }
  ) where Context: ContainerRequestContext {
    self.init(Self.keyed(scopes, by: key), name, limit, registrations) { $1.container = $0 }
  }

  private init(
    _ withParent: @escaping Parent, _ name: ScopeName, _ limit: Int,
    _ registrations: @escaping @Sendable (Request, Context) -> Registrations,
    providing provide: @escaping @Sendable (Container, inout Context) -> Void
  ) {
    self.withParent = withParent
    self.name = name
    self.limit = limit
    self.registrations = registrations
    self.provide = provide
  }

  private typealias Parent =
    @Sendable (Request, Context, (Container) async throws -> Response) async throws -> Response

  /// Opens the scopes of all requests in one container.
  private static func always(_ container: Container) -> Parent { { _, _, body in try await body(container) } }

  /// Opens the scope of a request below that of its key.
  private static func keyed<Key>(
    _ scopes: KeyedScopes<Key>, by key: @escaping @Sendable (Request, Context) async throws -> Key
  ) -> Parent {
    { request, context, body in
      try await scopes.withScope(key(request, context)) { scope in try await body(scope) }
    }
  }

  /// Handles a request in a scope of its own.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - context: The context of the request.
  ///   - next: The next handler.
  /// - Returns: The response.
  /// - Throws: The error of the key, the handler, or a disposer; status 503 if the container is closed, or the scope of the key is closed
  ///   before that of the request is open, or the time of a shutdown is up before the response begins.
  public func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    let registrations: @Sendable () -> Registrations = { [registrations] in registrations(request, context) }
    var isOpen = false
    do {
      return try await withParent(request, context) { parent in
        try await parent.withScope(name, registrations) { scope in
          isOpen = true
          var context = context
          provide(scope, &context)
          return try await Container.withCurrent(scope) {
            do {
              var response = try await next(request, context)
              if isShort(response.body) {
                response.body = try await response.body.collected()
                try await requireOpen(scope)
              } else {
                response.body = response.body.extending(scope, by: try extend(scope), context.logger)
              }
              return response
            } catch {
              try await requireOpen(scope)
              throw error
            }
          }
        }
      }
    } catch let error as ResolutionError where error.code == .closed && !isOpen {
      throw HTTPError(.serviceUnavailable)
    }
  }

  /// Checks that no shutdown whose time was up has closed the scope of a request that has been handled.
  ///
  /// - Throws: Status 503 if one has.
  private func requireOpen(_ scope: Container) async throws {
    // A request that is not cancelled still has its scope, or has closed it itself.
    if Task.isCancelled { try await extend(scope)?.end() }
  }

  /// Extends a scope. The scope of its key stays in use until then, too.
  ///
  /// - Returns: Nil if the handler has closed the scope itself.
  /// - Throws: Status 503 if the time of a shutdown was up, which has cancelled the handler and closed the scope.
  private func extend(_ scope: Container) throws -> ScopeExtension? {
    if let extending = try? scope.extendScope() { return extending }
    if Task.isCancelled { throw HTTPError(.serviceUnavailable) }
    return nil
  }

  /// Whether a body is written before the scope ends.
  private func isShort(_ body: ResponseBody) -> Bool { body.contentLength.map { $0 <= limit } ?? false }
}

/// A request context that has the container of its request.
///
/// ```swift
/// struct AppContext: ContainerRequestContext {
///   var coreContext: CoreRequestContextStorage
///   var container = Container.current
///   init(source: Source) { coreContext = .init(source: source) }
/// }
/// ```
public protocol ContainerRequestContext: RequestContext {
  /// The scope of the request, set by ``ContainerMiddleware``.
  var container: Container { get set }
}
