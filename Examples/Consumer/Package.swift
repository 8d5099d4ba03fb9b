// swift-tools-version: 6.2
import PackageDescription

// A package of somebody else's: only what is public is at hand, and none of the library's own settings.
let package = Package(
  name: "Consumer",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  dependencies: [.package(name: "ActorDI", path: "../..")],
  targets: [
    .target(name: "Checks"),
    .executableTarget(
      name: "Consumer", dependencies: [.product(name: "ActorDI", package: "ActorDI"), "Checks"]),
    .executableTarget(
      name: "MainActorConsumer",
      dependencies: [.product(name: "ActorDI", package: "ActorDI"), "Checks"],
      swiftSettings: [.defaultIsolation(MainActor.self)]),
  ]
)
