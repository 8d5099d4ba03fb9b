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

// What a program carries and compiles. These are the frontend's own flags, which a newer compiler may rename or lack, so only compilers
// that were tried get them: they change size and compile time alone. Apple's linker needs none to drop unused functions.
// Since tools version 6.2, a package with such flags may be a dependency by version.
#if compiler(<6.4)
  let small = [
    // Most of the library runs rarely. The functions on the way of a resolve and of a scope are marked `@_optimize(speed)`.
    "-Osize",
    // A type's copy and destruction are a string that the runtime reads, rather than ten functions. It takes both flags.
    "-enable-experimental-feature", "LayoutStringValueWitnesses",
    "-Xfrontend", "-enable-layout-string-value-witnesses",
    // A linker on Linux drops what a program does not use only if each function has a section of its own and nothing else asks to
    // keep it.
    "-Xfrontend", "-function-sections",
    // Linked into one program, a public symbol is no reason to keep a function.
    "-Xfrontend", "-internalize-at-link",
    // The cache of a type's metadata lies beside the pointers to a file's asynchronous functions, and would keep them all.
    "-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors",
    // Symbols name the functions in a backtrace. Lines and variables would cost each program 13 MB of objects, and unwind tables for
    // functions that call nothing.
    "-Xfrontend", "-gnone",
  ]

  // Optimisations that this library does not need, and LLVM's check of its own work: see "What made it compile faster" in the article
  // Performance. `sil-disable-pass` leaves out each pass of Swift's optimiser whose name contains the text.
  let swiftPasses = [
    "bcopts", "capture-prop", "closure-specialize", "compute-escape-effects", "compute-side-effects",
    "copy-propagation", "cowarray-opt", "cse", "dce", "early-codemotion", "jumpthread-simplify-cfg",
    "loop-invariant-code-motion", "redundant-load-elimination", "release-hoisting", "retain-sinking",
  ].map { "-sil-disable-pass=\($0)" }
  let llvmPasses = [
    "-enable-constraint-elimination=false", "-enable-misched=false", "-vectorize-loops=false", "-vectorize-slp=false",
    "-disable-constant-hoisting", "-disable-copyprop", "-disable-early-ifcvt", "-disable-early-taildup",
    "-disable-expand-reductions", "-disable-lsr", "-disable-machine-cse", "-disable-machine-licm",
    "-disable-machine-sink", "-disable-mergeicmps", "-disable-partial-libcall-inlining", "-disable-postra-machine-licm",
    "-disable-postra-machine-sink", "-disable-select-optimize", "-disable-ssc", "-disable-tail-duplicate",
  ]
  let unneeded = (swiftPasses + llvmPasses).flatMap { ["-Xllvm", $0] } + ["-Xfrontend", "-disable-llvm-verify"]

  let compact: [SwiftSetting] = [.unsafeFlags(small + unneeded, .when(platforms: [.linux], configuration: .release))]
#else
  let compact: [SwiftSetting] = []
#endif

// Optimising the unit tests takes minutes, and only the stress tests must run optimised. .ci/run sets the variable for them.
let unitTests: [Target] =
  Context.environment["ACTORDI_STRESS_TESTS_ONLY"] != nil
  ? []
  : [
    // Depends on ActorDITesting because the tests of the articles include its examples.
    .testTarget(
      name: "ActorDITests", dependencies: ["ActorDI", "ActorDITesting"], swiftSettings: settings),
    .testTarget(
      name: "ActorDITestingTests", dependencies: ["ActorDI", "ActorDITesting"], swiftSettings: settings),
    .testTarget(name: "ActorDIBenchTests", dependencies: ["ActorDIBench"], swiftSettings: settings),
    // Tests with default main-actor isolation, as in an app. Examples/Consumer tests it without the upcoming features.
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
    // Thread-local storage, the process-wide memory barrier and blocking waits, which Swift cannot express.
    .target(name: "CActorDI"),
    .target(name: "ActorDI", dependencies: ["CActorDI"], swiftSettings: settings + compact),

    // Support for the tests of programs that use the library. Imports the toolchain's Testing, which the library must not import.
    .target(name: "ActorDITesting", dependencies: ["ActorDI"], swiftSettings: settings),

    // Counts heap allocations and system calls for the benchmark. Never linked into the library.
    .target(name: "CAllocationCounter"),
    .executableTarget(
      name: "ActorDIBench", dependencies: ["ActorDI", "CAllocationCounter"],
      swiftSettings: settings),

    .testTarget(name: "ActorDIStressTests", dependencies: ["ActorDI"], swiftSettings: settings),
  ] + unitTests
)
