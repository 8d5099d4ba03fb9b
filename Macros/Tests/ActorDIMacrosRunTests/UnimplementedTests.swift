public import ActorDIMacros
import ActorDIMacrosTesting
import Synchronization
import Testing

@Unimplemented protocol Mailer: Sendable {
  var isOpen: Bool? { get }
  var limit: Int? { get set }
  var host: String { get async throws }
  subscript(index: Int) -> [String] { get }
  func send(_ text: String, to name: String) async throws -> Int
  mutating func close()
  func all<Value>(of type: Value.Type) -> [String: Value] where Value: Sendable
}

@Unimplemented(throwing: Failure()) @MainActor public protocol Printing: AnyObject {
  func open() throws(Failure)
  nonisolated func close() throws
}

@Unimplemented(throwing: Failure()) protocol Quiet: Sendable {
  var limit: Int? { get throws(Never) }
  func close() throws(Never)
  func flush() -> Swift.Void
  func each(_ body: () throws -> Void) rethrows -> [Int]
  func all() -> Array<Int>
  func byName() -> sending Swift.Dictionary<String, Int>
  func first() -> sending Int?
  func with<E: Error>(_ body: () throws(E) -> Void) throws(E) -> Int?
}

@Suite("@Unimplemented")
struct UnimplementedTests {
  @Test func recordsEachCall() async throws {
    final class Calls: Sendable {
      let names = Mutex<[String]>([])
    }
    let recorded = Calls()
    var mailer: any Mailer = UnimplementedMailer { name in recorded.names.withLock { $0.append(name) } }
    #expect(mailer.isOpen == nil && mailer[3].isEmpty && mailer.all(of: Int.self).isEmpty)
    mailer.limit = 3
    mailer.close()
    let sent = mailer
    let error = await #expect(throws: UnimplementedMemberError.self) { try await sent.send("a", to: "b") }
    #expect(error?.member == "Mailer.send(_:to:)")
    await #expect(throws: UnimplementedMemberError("Mailer.host")) { try await sent.host }
    let names = ["isOpen", "subscript(_:)", "all(of:)", "limit", "close()", "send(_:to:)", "host"]
    #expect(recorded.names.withLock { $0 } == names.map { "Mailer." + $0 })
  }

  @Test func returnsWhatItCanFromMembersThatDoNotThrow() {
    let quiet = UnimplementedQuiet { _ in }
    quiet.close()
    quiet.flush()
    #expect(quiet.limit == nil && quiet.each {}.isEmpty)
    // A regression: these ended the program.
    #expect(quiet.all().isEmpty && quiet.byName().isEmpty && quiet.first() == nil)
    // A regression: a generic error, which no double can make, was refused.
    #expect(quiet.with {} == nil)
  }

  @Test func throwsTheGivenError() async throws {
    let printer = UnimplementedPrinting { _ in }
    #expect(throws: Failure()) { try printer.close() }
    await #expect(throws: Failure()) { try await printer.open() }
  }

  @Test func recordsIssues() async throws {
    let container = Container { Registration((any Mailer).self) { _ in UnimplementedMailer() } }
    try await withKnownIssue {
      _ = try await container.resolve((any Mailer).self).isOpen
    } matching: { issue in
      (issue.error as? UnimplementedMemberError)?.member == "Mailer.isOpen"
    }
  }
}
