import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite("Expansions of @Injectable")
struct InjectableExpansionTests {
  @Test func callsTheInitialiser() {
    expectExpansion(
      of: """
        @Injectable(as: (any Store).self, scope: .singleton, key: "files", eager: true)
        public final class Files: Store {
          init(clock: any Clock, @Key("a") _ cache: Cache?, @Key(.b) other: Cache, @UseDefault limit: Int = 3) throws {}
        }
        """,
      """
      public final class Files: Store {
        init(clock: any Clock, @Key("a") _ cache: Cache?, @Key(.b) other: Cache, @UseDefault limit: Int = 3) throws {}

        /// The registration of the type, for a container.
        public nonisolated static var registration: ActorDI.Registration<(any Store)> {
          ActorDI.Registration((any Store).self, scope: .singleton, factory: Files._injected, fileID: "App/App.swift", line: 1)
            .suspending { resolver in
            try await Files._injectedSuspending(resolver)
          }
            .dependsOn((any Clock).self)
            ._declaring {
              $0._dependsOn(Cache?.self, "a")
              $0._dependsOn(Cache.self, .b)
            }
            .key("files")
            .eager()
        }

        private static func _injected(_ resolver: ActorDI.Resolver) throws -> sending (any Store) {
          _asService(try Files(clock: resolver.resolve((any Clock).self), resolver._injected(Cache?.self, "a"), other: resolver._injected(Cache.self, .b)))
        }

        private static func _injectedSuspending(_ resolver: ActorDI.Resolver) async throws -> sending (any Store) {
          _asService(try await Files(clock: resolver.resolve((any Clock).self), resolver._injected(Cache?.self, "a"), other: resolver._injected(Cache.self, .b)))
        }

        nonisolated private static func _asService(_ instance: sending Files) -> sending (any Store) {
          instance
        }
      }
      """)
  }

  @Test func addsAMemberwiseInitialiser() {
    expectExpansion(
      of: """
        @Injectable actor Account {
          let store: any Store
          @Argument let name: String
          let work: @Sendable () -> Void
          var count = 0
        }
        """,
      """
      actor Account {
        let store: any Store
        let name: String
        let work: @Sendable () -> Void
        var count = 0

        init(store: any Store, name: String, work: @escaping @Sendable () -> Void) {
          self.store = store
          self.name = name
          self.work = work
        }

        /// The registration of the type, for a container.
        nonisolated static var registration: ActorDI.Registration<Account> {
          ActorDI.Registration(Account.self, _taking: Account._injected, fileID: "App/App.swift", line: 1)
            .suspending { (resolver, argument1: String) in
            try await Account._injectedSuspending(resolver, argument1)
          }
            .dependsOn((any Store).self, (@Sendable () -> Void).self)
        }

        nonisolated private static func _injected(_ resolver: ActorDI.Resolver, _ argument1: String) throws -> sending Account {
          try Account(store: resolver.resolve((any Store).self), name: argument1, work: resolver.resolve((@Sendable () -> Void).self))
        }

        nonisolated private static func _injectedSuspending(_ resolver: ActorDI.Resolver, _ argument1: String) async throws -> sending Account {
          try await Account(store: resolver.resolve((any Store).self), name: argument1, work: resolver.resolve((@Sendable () -> Void).self))
        }
      }
      """)
  }

  @Test func waitsForAnAsynchronousInitialiser() {
    expectExpansion(
      of: """
        @Injectable struct Files {
          @DatabaseActor init?(store: Store!, @Argument name: String) async {}
        }
        """,
      """
      struct Files {
        @DatabaseActor init?(store: Store!, @Argument name: String) async {}

        /// The registration of the type, for a container.
        nonisolated static var registration: ActorDI.Registration<Files?> {
          ActorDI.Registration(Files?.self, factory: { (resolver, argument1: String) in
              try await Files._injectedSuspending(resolver, argument1)
            }, fileID: "App/App.swift", line: 1)
            .dependsOn(Store?.self)
        }

        @DatabaseActor private static func _injectedSuspending(_ resolver: ActorDI.Resolver, _ argument1: String) async throws -> sending Files? {
          try await Files(store: resolver.resolve(Store?.self), name: argument1)
        }
      }
      """)
  }
}
