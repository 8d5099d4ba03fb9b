import ActorDI
import Checks

/// Scopes, start and shutdown, and the dependency graph.
func endingScopes(_ checks: Checks) async throws {
  let log = Log()
  let app = Container(name: "app") {
    Registration(autowired: Metrics.self, scope: .singleton) { Metrics() }
      .dependsOn()
      .eager()
      .onDispose { _ in log.append("metrics") }
    Registration(autowired: Journal.self, scope: .scoped("request"), initializer: Journal.init)
    Registration(autowired: Line.self, scope: .pooled(max: 1)) { Line(log: log) }.dependsOn()
    log
  }

  try await app.start()
  checks.expect(app.resolveIfReady(Metrics.self) != nil, "an eager service is there")
  await checks.expectError(.scopeNotFound) { _ = try await app.resolve(Journal.self) }

  let answer = try await app.withScope("request") {
    Registration(instance: DatabaseURL(text: "of the request"))
  } operation: { request in
    let journal = try await request.resolve(Journal.self)
    checks.expect(try await request.resolve(Journal.self) === journal, "one for the request")
    try await request.withScope { step in
      checks.expect(try await step.resolve(Journal.self) === journal, "and its steps")
      checks.expect(try await step.resolve(Line.self).log === log, "lent by the pool")
    }
    return journal.url.text
  }
  checks.expect(answer == "of the request", "what only the scope has")
  checks.expect(log.texts == ["journal"], "disposed of with its scope: \(log.texts)")

  let graph = app.dependencyGraph()
  checks.expect(graph.nodes.contains { $0.kind == .expected && $0.service == DatabaseURL.self }, "expected")
  checks.expect(graph.edges.count == 2 && graph.edges.allSatisfy { !$0.isCaptive }, "\(graph.edges)")
  checks.expect(graph.dot.hasPrefix("digraph") && graph.mermaid.hasPrefix("flowchart"), "renderings")
  checks.expect(graph.json.contains("\"containers\": [\"app\"]"), graph.json)
  let report = try await app.validate()
  checks.expect(report.expectedFromScopes.map { "\($0)" } == ["DatabaseURL"], "\(report)")

  try await app.register {
    Registration(autowired: Mailer.self, scope: .singleton) { Mailer() }.onDispose { _ in throw Port.Invalid() }
  }
  _ = try await app.resolve(Mailer.self)
  do {
    try await app.shutdown(timeout: .seconds(10))
    checks.expect(false, "a failure went unnoticed")
  } catch {
    checks.expect(error.failures.count == 1 && error.failures[0].error is Port.Invalid, "\(error)")
  }
  checks.expect(log.texts == ["journal", "line", "metrics"], "the last created first: \(log.texts)")
  await checks.expectError(.closed) { _ = try await app.resolve(Metrics.self) }
}

/// Scopes that are opened by a key.
func scopesByKey(_ checks: Checks) async throws {
  struct Tenant: Hashable, Sendable { let name: String }
  let log = Log()
  let app = Container(name: "app") {
    Registration(autowired: Journal.self, scope: .scoped("tenant"), initializer: Journal.init)
    log
  }
  let tenants = app.keyedScopes("tenant", idleFor: .seconds(60), max: 2) { (tenant: Tenant) in
    Registration(instance: DatabaseURL(text: tenant.name))
  }
  let first = try await tenants.withScope(Tenant(name: "a")) { try await $0.resolve(Journal.self) }
  try await tenants.withScope(Tenant(name: "a")) { tenant in
    checks.expect(try await tenant.resolve(Journal.self) === first, "one for the tenant")
    let other = try await tenants.withScope(Tenant(name: "b")) { try await $0.resolve(Journal.self) }
    checks.expect(other !== first && other.url.text == "b", "another one for another tenant")
    checks.expect(tenants.open.map(\.uses).sorted() == [0, 1], "\(tenants.open)")
  }
  await tenants.end(Tenant(name: "a"))
  checks.expect(log.texts == ["journal"] && tenants.open.map(\.key.name) == ["b"], "an ended scope")
  try await app.shutdown()
  checks.expect(log.texts == ["journal", "journal"] && tenants.open.isEmpty, "ended with its container")
}

private final class Journal: Disposable {
  let url: DatabaseURL
  let log: Log

  init(url: DatabaseURL, log: Log) {
    self.url = url
    self.log = log
  }

  func dispose() async throws { log.append("journal") }
}

private actor Line: Disposable {
  let log: Log
  init(log: Log) { self.log = log }
  func dispose() async throws { log.append("line") }
}
