import ActorDI
import ActorDITesting
import Synchronization
import Testing

private final class Session: Sendable {}
private final class Cache: Sendable { init(session: Session) {} }
private final class Orders: Sendable { init(stock: Stock) {} }
private final class Stock: Sendable {}
private struct Refused: Error {}

struct ValidatedTests {
  /// The texts of the issues that a container's validation records.
  private func issues(of container: Container, building: Bool = false, count: Int) async -> [String] {
    let texts = Texts()
    await withKnownIssue {
      await container.validated(building: building)
    } matching: { issue in
      texts.add(issue.comments.map(\.rawValue).joined())
      return true
    }
    #expect(texts.all.count == count)
    return texts.all
  }

  @Test func aRightContainerHasNoIssue() async throws {
    let container = await Container { Registration(Stock.self) { _ in Stock() }.dependsOn() }.validated(building: true)
    _ = try await container.resolve(Stock.self)
  }

  @Test func eachProblemIsAnIssueWithItsLineAndCode() async throws {
    let line = #line
    let container = Container(name: "app") {
      Registration(autowired: Orders.self, initializer: Orders.init)
      Registration(Session.self, scope: .scoped("request")) { _ in Session() }.dependsOn()
      Registration(autowired: Cache.self, scope: .singleton, initializer: Cache.init)
    }
    let texts = await issues(of: container, count: 2)
    #expect(texts.first?.hasPrefix("\(#fileID):\(line + 2): error: ADI001 Stock is not registered") == true)
    #expect(texts.last?.hasPrefix("\(#fileID):\(line + 4): error: ADI003 Captive dependency: Cache") == true)
  }

  @Test func aServiceThatCannotBeBuiltIsAnIssue() async throws {
    let container = Container { Registration(Stock.self) { _ in throw Refused() }.dependsOn() }
    let texts = await issues(of: container, building: true, count: 1)
    #expect(texts.first?.contains(": error: ADI007 ") == true)
  }

  private final class Texts: Sendable {
    private let texts = Mutex<[String]>([])
    var all: [String] { texts.withLock { $0 } }
    func add(_ text: String) { texts.withLock { $0.append(text) } }
  }
}
