// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .strictMemorySafety(),
]

let package = Package(
  name: "ActorDI",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "ActorDI", targets: ["ActorDI"]),
    .library(name: "ActorDITesting", targets: ["ActorDITesting"]),
    .executable(name: "ActorDIBench", targets: ["ActorDIBench"]),
  ],
  targets: [
    // Thread-local storage, the process-wide memory barrier and blocking waits, which Swift cannot express.
    .target(name: "CActorDI"),
    .target(name: "ActorDI", dependencies: ["CActorDI"], swiftSettings: settings),

    // Support for the tests of programs that use the library. Imports the toolchain's Testing, which the library must not import.
    .target(name: "ActorDITesting", dependencies: ["ActorDI"], swiftSettings: settings),

    // Counts heap allocations and system calls for the benchmark. Never linked into the library.
    .target(name: "CAllocationCounter"),
    // Counts changes of reference counts for the benchmark. Never linked into the library.
    .target(name: "CReferenceCounter"),
    .executableTarget(
      name: "ActorDIBench", dependencies: ["ActorDI", "CAllocationCounter", "CReferenceCounter"],
      swiftSettings: settings),

    .testTarget(name: "ActorDIStressTests", dependencies: ["ActorDI"], swiftSettings: settings),
    .testTarget(name: "ActorDIBenchTests", dependencies: ["ActorDIBench"], swiftSettings: settings),
    .testTarget(
      name: "ActorDITestingTests", dependencies: ["ActorDI", "ActorDITesting"], swiftSettings: settings),
    // Tests with default main-actor isolation, as in an app. Examples/Consumer tests it without the upcoming features.
    .testTarget(
      name: "ActorDIMainActorTests", dependencies: ["ActorDI"],
      swiftSettings: settings + [.defaultIsolation(MainActor.self)]),

    // What the unit tests share.
    .target(
      name: "ActorDITestSupport", dependencies: ["ActorDI", "ActorDITesting"], path: "Tests/ActorDITests/Support",
      swiftSettings: settings),
  ]
)

// The unit tests. Each folder is a module, because the compiler expands the macros of all tests of a module once for every 25 of its files,
// and once more whenever one of them changes. They depend on ActorDITesting because the tests of the articles include its examples.
let unitTestFolders = [
  "Articles", "Container", "Diagnostics", "Graph", "Injection", "Internal", "KeyedScopes", "Lifecycle", "Model", "Once",
  "Overrides", "Proofs", "ReadPath", "Registration", "Registry", "Resolution", "Scopes",
]
package.targets += unitTestFolders.map { folder in
  .testTarget(
    name: "ActorDI\(folder)Tests", dependencies: ["ActorDI", "ActorDITesting", "ActorDITestSupport"],
    path: "Tests/ActorDITests/\(folder)", swiftSettings: settings)
}

// `swift test` compiles all targets, even if it runs only some tests. .ci/run sets this variable to compile the stress tests alone.
if Context.environment["ACTORDI_STRESS_TESTS_ONLY"] != nil {
  let needed = ["CActorDI", "ActorDI", "ActorDITesting", "ActorDIStressTests"]
  package.products.removeAll { $0.name == "ActorDIBench" }
  package.targets.removeAll { !needed.contains($0.name) }
}
