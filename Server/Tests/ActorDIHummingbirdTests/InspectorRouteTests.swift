import ActorDI
import ActorDIHummingbird
import ActorDIInspector
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@Suite("ContainerInspector in Hummingbird")
struct InspectorRouteTests {
  /// The routes that the README shows.
  private func addInspector(_ inspector: ContainerInspector, of app: Container, to admin: RouterGroup<AppContext>) {
    admin.get("inspector") { _, _ in
      Response(
        status: .ok,
        headers: [
          .contentType: "text/html; charset=utf-8", .contentSecurityPolicy: ContainerInspector.contentSecurityPolicy,
        ],
        body: .init(byteBuffer: ByteBuffer(string: ContainerInspector.page())))
    }
    admin.get("inspector.json") { _, _ in
      Response(
        status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
        body: .init(byteBuffer: ByteBuffer(string: inspector.json(of: app))))
    }
  }

  @Test func thePageAndItsStateAreServed() async throws {
    let inspector = ContainerInspector()
    let app = Container(name: "app", configuration: .init(observer: inspector)) {
      Registration(Notes.self, scope: .scoped("request")) { _ in Notes() }
    }
    let router = Router(context: AppContext.self)
    router.add(middleware: ContainerMiddleware(app))
    addInspector(inspector, of: app, to: router.group("admin"))
    router.get("notes") { _, context in
      _ = try await context.container.resolve(Notes.self)
      return HTTPResponse.Status.ok
    }
    try await Application(router: router).test(.router) { client in
      try await client.execute(uri: "/notes", method: .get) { #expect($0.status == .ok) }
      try await client.execute(uri: "/admin/inspector", method: .get) { response in
        #expect(response.headers[.contentType] == "text/html; charset=utf-8")
        #expect(response.headers[.contentSecurityPolicy] == ContainerInspector.contentSecurityPolicy)
        #expect(String(buffer: response.body) == ContainerInspector.page())
      }
      try await client.execute(uri: "/admin/inspector.json", method: .get) { response in
        let json = String(buffer: response.body)
        #expect(json.hasPrefix("{\"container\": {\"name\": \"app\", \"id\": \(app.id)}"))
        // The request for the state is an open scope itself.
        #expect(json.contains("\"counts\": {\"instances\": 0, \"builds\": 0, \"scopes\": 1}"))
        #expect(
          json.contains(
            "\"kind\": \"created\", \"node\": 0, \"name\": \"Notes\", \"scope\": \"scoped(\\\"request\\\")\""))
      }
    }
  }
}
