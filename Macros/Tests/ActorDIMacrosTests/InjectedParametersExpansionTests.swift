import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite("Expansions of @InjectedParameters")
struct InjectedParametersExpansionTests {
  @Test func addsAnOverload() {
    expectExpansion(
      of: """
        class Uploads {
          @InjectedParameters required init(store: any Store) {}
          @InjectedParameters(ignoring: "file") @discardableResult
          open func upload(file: URL, to store: any Store, @UseDefault limit: Int = 3) async rethrows -> Bool { true }
        }
        """,
      """
      class Uploads {
        required init(store: any Store) {}

        /// Calls the overload with the other parameters, which a container supplies.
        @_disfavoredOverload
        convenience init(from container: ActorDI.Container = ActorDI.Container.current) throws {
          try self.init(store: container.resolver.resolve((any Store).self))
        }
        @discardableResult
        open func upload(file: URL, to store: any Store, @UseDefault limit: Int = 3) async rethrows -> Bool { true }

        /// Calls the overload with the other parameters, which a container supplies.
        @_disfavoredOverload @discardableResult
        public func upload(file: URL, from container: ActorDI.Container = ActorDI.Container.current) async throws -> Bool {
          try await upload(file: file, to: container.resolver.resolve((any Store).self))
        }
      }
      """)
  }
}
