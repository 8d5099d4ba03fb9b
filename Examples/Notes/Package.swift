// swift-tools-version: 6.2
import PackageDescription

// What the program and its tests import.
let libraries: [Target.Dependency] = [
  .product(name: "ActorDI", package: "ActorDI"),
  .product(name: "ActorDIConfiguration", package: "ActorDIServer"),
  .product(name: "ActorDIHummingbird", package: "ActorDIServer"),
  .product(name: "ActorDIInspector", package: "ActorDIServer"),
  .product(name: "ActorDILogging", package: "ActorDIServer"),
  .product(name: "ActorDIMetrics", package: "ActorDIServer"),
  .product(name: "ActorDIServiceLifecycle", package: "ActorDIServer"),
  .product(name: "Configuration", package: "swift-configuration"),
  .product(name: "GRDB", package: "GRDB.swift"),
  .product(name: "Hummingbird", package: "hummingbird"),
  .product(name: "Logging", package: "swift-log"),
  .product(name: "Metrics", package: "swift-metrics"),
  .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
]

let package = Package(
  name: "Notes",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "ActorDI", path: "../.."),
    .package(name: "ActorDIServer", path: "../../Server"),
    .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    .target(name: "NotesApp", dependencies: libraries),
    .executableTarget(name: "Notes", dependencies: libraries + ["NotesApp"]),
    .testTarget(
      name: "NotesAppTests",
      dependencies: libraries + [
        "NotesApp", .product(name: "ActorDITesting", package: "ActorDI"),
        .product(name: "HummingbirdTesting", package: "hummingbird"),
      ]),
  ]
)

// The program of Tools/load-test.
if Context.environment["NOTES_LOAD_TEST"] != nil {
  package.targets.append(.executableTarget(name: "NotesLoad", dependencies: libraries + ["NotesApp"], path: "LoadTest"))
}
