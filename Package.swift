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

// To optimise the unit tests takes minutes. What has to run optimised are the stress tests, and .ci/run asks for them alone.
let unitTests: [Target] =
  Context.environment["ACTORDI_STRESS_TESTS_ONLY"] != nil
  ? []
  : [
    // Its articles show the testing product, too.
    .testTarget(
      name: "ActorDITests", dependencies: ["ActorDI", "ActorDITesting"], swiftSettings: settings),
    .testTarget(
      name: "ActorDITestingTests", dependencies: ["ActorDI", "ActorDITesting"], swiftSettings: settings),
    .testTarget(name: "ActorDIBenchTests", dependencies: ["ActorDIBench"], swiftSettings: settings),
    // Code as that of an app, which is the main actor's by default. Examples/Consumer has the same without the upcoming features.
    .testTarget(
      name: "ActorDIMainActorTests", dependencies: ["ActorDI"],
      swiftSettings: settings + [.defaultIsolation(MainActor.self)]),
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
    // Thread-local storage, the process-wide memory barrier, and blocking waits: what Swift has no word for.
    .target(name: "CActorDI"),
    .target(name: "ActorDI", dependencies: ["CActorDI"], swiftSettings: settings),

    // For the tests of programs that use the library. Imports the toolchain's Testing, which the library itself must not.
    .target(name: "ActorDITesting", dependencies: ["ActorDI"], swiftSettings: settings),

    // Counts heap allocations and system calls for the benchmark; never linked into the library.
    .target(name: "CAllocationCounter"),
    .executableTarget(
      name: "ActorDIBench", dependencies: ["ActorDI", "CAllocationCounter"],
      swiftSettings: settings),

    .testTarget(name: "ActorDIStressTests", dependencies: ["ActorDI"], swiftSettings: settings),
  ] + unitTests
)
