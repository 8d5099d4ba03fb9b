import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite("Expansions of @Unimplemented")
struct UnimplementedExpansionTests {
  @Test func addsADouble() {
    expectExpansion(
      of: """
        @Unimplemented public protocol Mailer: Sendable {
          var limit: Int? { get set }
          func send(_ text: String) async throws -> Int
          mutating func count() -> Int
        }
        """,
      """
      public protocol Mailer: Sendable {
        var limit: Int? { get set }
        func send(_ text: String) async throws -> Int
        mutating func count() -> Int
      }

      /// A test double each of whose members records that it was called.
      public final class UnimplementedMailer: Mailer, nonisolated ActorDIMacros.UnimplementedDouble {
        private let _record: @Sendable (String) -> Void

        public nonisolated init(record: @escaping @Sendable (String) -> Void) {
          _record = record
        }

        public var limit: Int? {
          get {
            _record("Mailer.limit")
            return nil
          }
          set {
            _record("Mailer.limit")
          }
        }

        public func send(_ text: String) async throws -> Int {
          _record("Mailer.send(_:)")
          throw ActorDIMacros.UnimplementedMemberError("Mailer.send(_:)")
        }

        public func count() -> Int {
          _record("Mailer.count()")
          fatalError("Mailer.count() is not implemented for this test, and has no value to return.")
        }
      }
      """)
  }
}
