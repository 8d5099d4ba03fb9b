import ActorDI
import ActorDIHummingbird
import ActorDIInspector
import Hummingbird

/// The context of a request, with the container of its scope.
public struct AppContext: ContainerRequestContext {
  public var coreContext: CoreRequestContextStorage
  public var container = Container.current
  public init(source: Source) { coreContext = .init(source: source) }
}

/// Creates the routes of the application.
public func makeRouter(_ app: Container) -> Router<AppContext> {
  let router = Router(context: AppContext.self)
  router.add(middleware: LogRequestsMiddleware(.info))
  router.add(middleware: MetricsMiddleware())
  // No scope, because it needs nothing of the container.
  router.get("health") { _, _ in HTTPResponse.Status.ok }

  let scoped = router.group().add(middleware: ContainerMiddleware(app))
  scoped.post("users") { request, context in
    let new = try await request.decode(as: NewUser.self, context: context)
    let user = try await context.container.resolve(UserController.self).add(new)
    return EditedResponse(status: .created, response: user)
  }

  // The requests of a user share a scope while the user is active. It ends after a quarter of an hour without a request.
  let users = app.keyedScopes("user", idleFor: .seconds(900), max: 10_000) { (id: Int64) in
    Registration(instance: ActiveUser(id: id))
  }
  let active = router.group("notes").add(
    middleware: ContainerMiddleware(users) { request, _ in
      try await app.resolve(Authentication.self).user(of: request)
    })
  active.get { request, context in
    let words = request.uri.queryParameters.get("q")
    return try await context.container.resolve(SearchController.self).notes(containing: words)
  }
  active.get("searches") { _, context in
    try await context.container.resolve(RecentSearches.self).all
  }

  let notes = scoped.group("notes")
  notes.post { request, context in
    let draft = try await request.decode(as: NoteDraft.self, context: context)
    let note = try await context.container.resolve(NoteController.self).add(draft)
    return EditedResponse(status: .created, response: note)
  }
  notes.get("export") { _, context in
    // A body of unknown length is streamed. The scope stays open until it has been written.
    let body = try await context.container.resolve(NoteController.self).export()
    return Response(status: .ok, headers: [.contentType: "application/jsonl"], body: body)
  }
  notes.get(":id") { _, context in
    let id = try context.parameters.require("id", as: Int64.self)
    return try await context.container.resolve(NoteController.self).find(id)
  }
  notes.put(":id") { request, context in
    let id = try context.parameters.require("id", as: Int64.self)
    let draft = try await request.decode(as: NoteDraft.self, context: context)
    return try await context.container.resolve(NoteController.self).change(id, to: draft)
  }
  notes.delete(":id") { _, context in
    let id = try context.parameters.require("id", as: Int64.self)
    try await context.container.resolve(NoteController.self).delete(id)
    return HTTPResponse.Status.noContent
  }
  return router
}

/// Creates the routes of the administration: the metrics, and a page that shows the container.
public func makeAdminRouter(
  _ app: Container, metrics: MetricsBoard, inspector: ContainerInspector
) -> Router<BasicRequestContext> {
  let router = Router()
  router.get("metrics") { _, _ in metrics.text }
  router.get("inspector") { _, _ in
    Response(
      status: .ok,
      headers: [.contentType: "text/html", .contentSecurityPolicy: ContainerInspector.contentSecurityPolicy],
      body: .init(byteBuffer: ByteBuffer(string: ContainerInspector.page())))
  }
  router.get("inspector.json") { _, _ in
    Response(
      status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: .init(byteBuffer: ByteBuffer(string: inspector.json(of: app))))
  }
  return router
}
