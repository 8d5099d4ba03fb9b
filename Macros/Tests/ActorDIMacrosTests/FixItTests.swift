import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite("Fix-its")
struct FixItTests {
  @Test func markAnInitialiser() {
    expectExpansion(
      of: """
        @Injectable final class Cache {
          init(size: Int) {}
          public init(name: String) {}
        }
        """,
      """
      final class Cache {
        init(size: Int) {}
        public init(name: String) {}

        nonisolated static var registration: ActorDI.Registration<Cache> {
          fatalError()
        }
      }
      """,
      diagnostics: [
        DiagnosticSpec(
          message: "'Cache' has 2 initialisers: mark the one for the container with '@Inject'", line: 1, column: 1,
          notes: [
            NoteSpec(message: "this one: init(size:)", line: 2, column: 3),
            NoteSpec(message: "this one: init(name:)", line: 3, column: 10),
          ],
          fixIts: [
            FixItSpec(message: "mark init(size:) with '@Inject'"),
            FixItSpec(message: "mark init(name:) with '@Inject'"),
          ])
      ],
      applying: ["mark init(name:) with '@Inject'"],
      fixed: """
        @Injectable final class Cache {
          init(size: Int) {}
          @Inject public init(name: String) {}
        }
        """)
  }

  @Test func addAScope() {
    expectExpansion(
      of: """
        @Injectable(key: "a", eager: true) final class Cache {}
        """,
      """
      final class Cache {

        nonisolated static var registration: ActorDI.Registration<Cache> {
          fatalError()
        }
      }
      """,
      diagnostics: [
        DiagnosticSpec(
          message: "an eager service needs a scope that keeps what 'start()' builds: add 'scope: .singleton'", line: 1,
          column: 1,
          fixIts: [FixItSpec(message: "add 'scope: .singleton'")])
      ],
      applying: ["add 'scope: .singleton'"],
      fixed: """
        @Injectable(scope: .singleton, key: "a", eager: true) final class Cache {}
        """)
  }

  @Test func removeAMarker() {
    expectExpansion(
      of: """
        @Injectable final class Cache {
          init(@Key("a") @Argument size: Int, @UseDefault name: String) {}
        }
        """,
      """
      final class Cache {
        init(@Key("a") @Argument size: Int, @UseDefault name: String) {}

        nonisolated static var registration: ActorDI.Registration<Cache> {
          fatalError()
        }
      }
      """,
      diagnostics: [
        DiagnosticSpec(
          message: "parameter 'size' has both '@Key' and '@Argument': keep one of them", line: 2, column: 18,
          fixIts: [FixItSpec(message: "remove '@Argument'"), FixItSpec(message: "remove '@Key'")]),
        DiagnosticSpec(
          message: "parameter 'name' has no default value for '@UseDefault': give it one, or remove the marker",
          line: 2, column: 39,
          fixIts: [FixItSpec(message: "remove '@UseDefault'")]),
      ],
      applying: ["remove '@Argument'", "remove '@UseDefault'"],
      fixed: """
        @Injectable final class Cache {
          init(@Key("a") size: Int, name: String) {}
        }
        """)
  }

  @Test func removeAMarkerBelowAComment() {
    expectExpansion(
      of: """
        @Injectable final class Cache {
          /// For tests.
          @Inject init() {}
          /// For files.
          @Inject init(size: Int) {}
        }
        """,
      """
      final class Cache {
        /// For tests.
        init() {}
        /// For files.
        init(size: Int) {}

        nonisolated static var registration: ActorDI.Registration<Cache> {
          fatalError()
        }
      }
      """,
      diagnostics: [
        DiagnosticSpec(
          message: "'Cache' has several initialisers marked '@Inject': keep the marker on one", line: 5, column: 11,
          notes: [NoteSpec(message: "the first one is here", line: 3, column: 11)],
          fixIts: [FixItSpec(message: "remove '@Inject'")])
      ],
      applying: ["remove '@Inject'"],
      fixed: """
        @Injectable final class Cache {
          /// For tests.
          @Inject init() {}
          /// For files.
          init(size: Int) {}
        }
        """)
  }

  @Test func removeAMacroOfItsOwn() {
    expectExpansion(
      of: """
        /// Stores a name.
        @InjectedParameters(ignoring: "name") func store(name: String) {}
        """,
      """
      /// Stores a name.
      func store(name: String) {}
      """,
      diagnostics: [
        DiagnosticSpec(
          message: "no parameter of 'store' is left for a container to supply: remove '@InjectedParameters'", line: 2,
          column: 1,
          fixIts: [FixItSpec(message: "remove '@InjectedParameters'")])
      ],
      applying: ["remove '@InjectedParameters'"],
      fixed: """
        /// Stores a name.
        func store(name: String) {}
        """)
  }

  @Test func correctANameAndAType() {
    expectExpansion(
      of: """
        @InjectedParameters(ignoring: "to") func store(to name: String, size: Int) {}
        @Injectable(as: Store()) final class Cache {}
        """,
      """
      func store(to name: String, size: Int) {}
      final class Cache {

        nonisolated static var registration: ActorDI.Registration<Cache> {
          fatalError()
        }
      }
      """,
      diagnostics: [
        DiagnosticSpec(
          message: "there is no parameter 'to': did you mean 'name'?", line: 1, column: 31,
          fixIts: [FixItSpec(message: "replace it with \"name\"")]),
        DiagnosticSpec(
          message: "'Store()' is no type: write the type followed by '.self', such as '(any Store).self'", line: 2,
          column: 17),
      ],
      applying: ["replace it with \"name\""],
      fixed: """
        @InjectedParameters(ignoring: "name") func store(to name: String, size: Int) {}
        @Injectable(as: Store()) final class Cache {}
        """)
  }

  /// A regression: the fix-its removed line breaks and comments, so that code became part of a name or comment.
  @Test func leaveTheFormat() {
    expectExpansion(
      of: """
        @Injectable(
          as: (any Store).self,  // The service.
          eager: true
        ) final class Cache {
          init(@Arguments size: Int) {}
        }
        @Injectable(
          scope: .transient,  // Kept.
          eager: true
        ) final class Files {
          private  // For tests.
            init() {}
        }
        @InjectedParameters(
          ignoring: "fiel"  // The name.
        ) func store(file: String, size: Int) {}
        """,
      """
      final class Cache {
        init(@Arguments size: Int) {}

        nonisolated static var registration: ActorDI.Registration<(any Store)> {
          fatalError()
        }
      }
      final class Files {
        private  // For tests.
          init() {}

        nonisolated static var registration: ActorDI.Registration<Files> {
          fatalError()
        }
      }
      func store(file: String, size: Int) {}
      """,
      diagnostics: [
        DiagnosticSpec(
          message: "an eager service needs a scope that keeps what 'start()' builds: add 'scope: .singleton'", line: 1,
          column: 1, fixIts: [FixItSpec(message: "add 'scope: .singleton'")]),
        DiagnosticSpec(
          message: "'@Arguments' on parameter 'size': did you mean '@Argument'?", line: 5, column: 9, severity: .note,
          fixIts: [FixItSpec(message: "replace it with '@Argument'")]),
        DiagnosticSpec(
          message:
            "an eager service needs a scope that keeps what 'start()' builds, but '.transient' does not: write '.singleton'",
          line: 8, column: 10, fixIts: [FixItSpec(message: "replace it with '.singleton'")]),
        DiagnosticSpec(
          message:
            "the initialiser of 'Files' is private: mark the one for the container with '@Inject', or make it internal",
          line: 12, column: 5, fixIts: [FixItSpec(message: "mark init() with '@Inject'")]),
        DiagnosticSpec(
          message: "there is no parameter 'fiel': did you mean 'file'?", line: 15, column: 13,
          fixIts: [FixItSpec(message: "replace it with \"file\"")]),
      ],
      applying: [
        "add 'scope: .singleton'", "replace it with '@Argument'", "replace it with '.singleton'",
        "mark init() with '@Inject'", "replace it with \"file\"",
      ],
      fixed: """
        @Injectable(
          as: (any Store).self,  // The service.
          scope: .singleton, eager: true
        ) final class Cache {
          init(@Argument size: Int) {}
        }
        @Injectable(
          scope: .singleton,  // Kept.
          eager: true
        ) final class Files {
          @Inject private  // For tests.
            init() {}
        }
        @InjectedParameters(
          ignoring: "file"  // The name.
        ) func store(file: String, size: Int) {}
        """)
  }
}
