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
    // Depends on ActorDITesting because the tests of the articles include its examples.
    .testTarget(
      name: "ActorDITests", dependencies: ["ActorDI", "ActorDITesting"], swiftSettings: unitTestSettings),
    .testTarget(
      name: "ActorDITestingTests", dependencies: ["ActorDI", "ActorDITesting"], swiftSettings: unitTestSettings),
    .testTarget(name: "ActorDIBenchTests", dependencies: ["ActorDIBench"], swiftSettings: unitTestSettings),
    // Tests with default main-actor isolation, as in an app. Examples/Consumer tests it without the upcoming features.
    .testTarget(
      name: "ActorDIMainActorTests", dependencies: ["ActorDI"],
      swiftSettings: unitTestSettings + [.defaultIsolation(MainActor.self)]),
  ]
)

// `swift test` compiles all targets, even if it runs only some tests. .ci/run sets this variable to the test targets that it runs, separated by
// commas, to leave the other ones and the benchmark out.
if let tests = Context.environment["ACTORDI_TESTS"]?.split(separator: ",") {
  let benchmark = ["ActorDIBench", "CAllocationCounter", "CReferenceCounter"]
  package.products.removeAll { benchmark.contains($0.name) }
  package.targets.removeAll { target in
    target.isTest ? !tests.contains { $0 == target.name } : benchmark.contains(target.name)
  }
}
