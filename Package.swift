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

// Optimising the unit tests takes many minutes. .ci/run sets this variable to run them unoptimised with an optimised library. They are
// compiled in batches, as in a debug build, because a compiler of the whole module uses one core.
let unitTestSettings =
  settings
  + (Context.environment["ACTORDI_PLAIN_UNIT_TESTS"] != nil
    ? [.unsafeFlags(["-Onone", "-no-whole-module-optimization", "-enable-batch-mode"])] : [])

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
    .testTarget(name: "ActorDIBenchTests", dependencies: ["ActorDIBench"], swiftSettings: unitTestSettings),
    .testTarget(
      name: "ActorDITestingTests", dependencies: ["ActorDI", "ActorDITesting"], swiftSettings: unitTestSettings),
    // Tests with default main-actor isolation, as in an app. Examples/Consumer tests it without the upcoming features.
    .testTarget(
      name: "ActorDIMainActorTests", dependencies: ["ActorDI"],
      swiftSettings: unitTestSettings + [.defaultIsolation(MainActor.self)]),

    // What the unit tests share.
    .target(
      name: "ActorDITestSupport", dependencies: ["ActorDI", "ActorDITesting"], path: "Tests/ActorDITests/Support",
      swiftSettings: unitTestSettings),
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
    path: "Tests/ActorDITests/\(folder)", swiftSettings: unitTestSettings)
}

// `swift test` compiles all targets, even if it runs only some tests. .ci/run sets this variable to `stress` or `unit` to leave the other
// tests and the benchmark out.
if let kind = Context.environment["ACTORDI_TESTS"] {
  precondition(["stress", "unit"].contains(kind), "ACTORDI_TESTS is neither stress nor unit")
  let benchmark = ["ActorDIBench", "ActorDIBenchTests", "CAllocationCounter", "CReferenceCounter"]
  package.products.removeAll { benchmark.contains($0.name) }
  package.targets.removeAll { target in
    let isOfTests = target.isTest || target.name == "ActorDITestSupport"
    let isOfStressTests = target.name == "ActorDIStressTests"
    return benchmark.contains(target.name) || isOfTests && isOfStressTests != (kind == "stress")
  }
}
