import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite("Expansions of @Graph")
struct GraphExpansionTests {
  @Test func addsRegistrationsAndAWiring() {
    expectExpansion(
      of: """
        @Graph public struct AppGraph: Sendable {
          let limit: Int
          @Include public let core: CoreGraph
          @Provides(scope: .singleton) public func store(limit: Int) throws -> any Store { Memory(limit) }
          @MainActor @Provides(key: "main") func users(store: any Store, _ clock: Clock, @Argument name: String) -> Users { Users() }
          @Provides public func handler(_ store: (any Store), @UseDefault size: Int = 3) async -> Handler { Handler(store) }
        }
        """,
      """
      public struct AppGraph: Sendable {
        let limit: Int
        public let core: CoreGraph
        public func store(limit: Int) throws -> any Store { Memory(limit) }
        @MainActor func users(store: any Store, _ clock: Clock, @Argument name: String) -> Users { Users() }
        public func handler(_ store: (any Store), @UseDefault size: Int = 3) async -> Handler { Handler(store) }

        /// The registrations of the providers, for a container or module.
        @ActorDI.RegistrationBuilder public nonisolated var registrations: ActorDI.Registrations {
          core.registrations
          #sourceLocation(file: "App.swift", line: 2)
          ActorDI.Registration(Int.self, instance: limit)
          #sourceLocation()
          ActorDI.Registration((any Store).self, scope: .singleton, factory: self._make2, fileID: "App/App.swift", line: 4)
            .suspending { resolver in
            try await self._make2Suspending(resolver)
          }
            .dependsOn(Int.self)
          ActorDI.Registration(Users.self, _taking: self._make3, fileID: "App/App.swift", line: 5)
            .suspending { (resolver, argument1: String) in
            try await self._make3Suspending(resolver, argument1)
          }
            .dependsOn((any Store).self, Clock.self)
            .key("main")
          ActorDI.Registration(Handler.self, factory: { resolver in
              try await self._make4Suspending(resolver)
            }, fileID: "App/App.swift", line: 6)
            .dependsOn((any Store).self)
        }

        private func _make2(_ resolver: ActorDI.Resolver) throws -> sending any Store {
          try self.store(limit: resolver.resolve(Int.self))
        }

        private func _make2Suspending(_ resolver: ActorDI.Resolver) async throws -> sending any Store {
          try await self.store(limit: resolver.resolve(Int.self))
        }

        @MainActor private func _make3(_ resolver: ActorDI.Resolver, _ argument1: String) throws -> sending Users {
          try self.users(store: resolver.resolve((any Store).self), resolver.resolve(Clock.self), name: argument1)
        }

        @MainActor private func _make3Suspending(_ resolver: ActorDI.Resolver, _ argument1: String) async throws -> sending Users {
          try await self.users(store: resolver.resolve((any Store).self), resolver.resolve(Clock.self), name: argument1)
        }

        private func _make4Suspending(_ resolver: ActorDI.Resolver) async throws -> sending Handler {
          try await self.handler(resolver.resolve((any Store).self))
        }

        public enum _Key1 {
        }

        public nonisolated protocol _Provisions: ActorDIMacros._ServiceProvisions, CoreGraph._Provisions {
          static func provider(of service: ActorDIMacros._Service<any Store>)
          static func provider(of service: ActorDIMacros._Service<Handler>)
        }

        private nonisolated protocol _OwnProvisions: _Provisions {
          static func provider(of service: ActorDIMacros._Service<Int>)
        }

        nonisolated private static func _check(_ provisions: (some _OwnProvisions).Type) {
          #sourceLocation(file: "App.swift", line: 5)
          provisions.provider(of: ActorDIMacros._Service<Clock>())
          #sourceLocation()
        }

        /// The services of the graph, made without a container.
        public struct Wiring {
          private let _graph: AppGraph
          public let store: any Store
          fileprivate init(_ graph: AppGraph) throws {
            _graph = graph
            self.store = try graph.store(limit: graph.limit)
          }
          @available(*, unavailable, message: "only a container makes 'users': no provider of this graph states 'Clock' in the same spelling")
          func users() -> Users {
            fatalError()
          }
          public func handler() async -> Handler {
            await _graph.handler(self.store)
          }
        }

        /// Makes the singletons of the graph, without a container.
        ///
        /// - Returns: The wiring, which makes the other services.
        public func wired() throws -> Wiring {
          try Wiring(self)
        }
      }

      extension AppGraph: ActorDIMacros.ServiceGraph {
      }
      """)
  }

  @Test func makesAProviderAsynchronous() {
    expectExpansion(
      of: """
        @Graph struct AppGraph {
          @Provides func store() async -> Store { Store() }
          @Provides func users(store: Store) throws -> Users { Users() }
        }
        """,
      """
      struct AppGraph {
        func store() async -> Store { Store() }
        func users(store: Store) throws -> Users { Users() }

        nonisolated var registrations: ActorDI.Registrations {
          fatalError()
        }

        nonisolated protocol _Provisions: ActorDIMacros._ServiceProvisions {
        }

        struct Wiring {
          func store() async -> Store {
            fatalError()
          }
          func users() throws -> Users {
            fatalError()
          }
        }

        func wired() -> Wiring {
          fatalError()
        }
      }

      extension AppGraph: ActorDIMacros.ServiceGraph {
      }
      """,
      diagnostics: [
        DiagnosticSpec(
          message:
            "'users' is synchronous, but needs 'store', which is asynchronous: make 'users' 'async'", line: 3,
          column: 24,
          notes: [NoteSpec(message: "'store' is here", line: 2, column: 18)],
          fixIts: [FixItSpec(message: "make 'users' 'async'")])
      ],
      applying: ["make 'users' 'async'"],
      fixed: """
        @Graph struct AppGraph {
          @Provides func store() async -> Store { Store() }
          @Provides func users(store: Store) async throws -> Users { Users() }
        }
        """)
  }

  @Test func makesAGraphSendable() {
    expectExpansion(
      of: """
        @Graph public struct AppGraph {}
        """,
      """
      public struct AppGraph {}
      """,
      diagnostics: [
        DiagnosticSpec(
          message: "graph 'AppGraph' is public, so it must state that it is Sendable: add ': Sendable'", line: 1,
          column: 22,
          fixIts: [FixItSpec(message: "add ': Sendable'")])
      ],
      applying: ["add ': Sendable'"],
      fixed: """
        @Graph public struct AppGraph: Sendable {}
        """)
  }

  @Test func makesAGraphWithAProtocolSendable() {
    expectExpansion(
      of: """
        @Graph public struct AppGraph: Hashable {}
        """,
      """
      public struct AppGraph: Hashable {}
      """,
      diagnostics: [
        DiagnosticSpec(
          message: "graph 'AppGraph' is public, so it must state that it is Sendable: add ': Sendable'", line: 1,
          column: 22,
          fixIts: [FixItSpec(message: "add ': Sendable'")])
      ],
      applying: ["add ': Sendable'"],
      fixed: """
        @Graph public struct AppGraph: Hashable, Sendable {}
        """)
  }

  @Test func namesAnExistentialType() {
    expectExpansion(
      of: """
        @Graph struct AppGraph {
          @Provides func numbers() -> some Sequence<Int> { [1] }
        }
        """,
      """
      struct AppGraph {
        func numbers() -> some Sequence<Int> { [1] }

        nonisolated var registrations: ActorDI.Registrations {
          fatalError()
        }

        nonisolated protocol _Provisions: ActorDIMacros._ServiceProvisions {
        }

        struct Wiring {

        }

        func wired() -> Wiring {
          fatalError()
        }
      }

      extension AppGraph: ActorDIMacros.ServiceGraph {
      }
      """,
      diagnostics: [
        DiagnosticSpec(
          message: "provider 'numbers' returns no certain type: write 'any Sequence<Int>'", line: 2, column: 31,
          fixIts: [FixItSpec(message: "replace 'some' with 'any'")])
      ],
      applying: ["replace 'some' with 'any'"],
      fixed: """
        @Graph struct AppGraph {
          @Provides func numbers() -> any Sequence<Int> { [1] }
        }
        """)
  }
}
