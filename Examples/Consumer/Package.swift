// swift-tools-version: 6.2
import PackageDescription

// What the README names for targets of the Swift 5 language mode.
let swift5: [SwiftSetting] = [
  .swiftLanguageMode(.v5), .enableUpcomingFeature("StrictConcurrency"),
  .enableUpcomingFeature("InferSendableFromCaptures"),
]

// A package outside the library's own: it sees only public declarations, and has none of the library's build settings.
let package = Package(
  name: "Consumer",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  dependencies: [.package(name: "ActorDI", path: "../..")],
  targets: [
    .target(name: "Checks"),
    .target(name: "Mailing", dependencies: [.product(name: "ActorDI", package: "ActorDI")]),
    .executableTarget(
      name: "Consumer", dependencies: [.product(name: "ActorDI", package: "ActorDI"), "Checks", "Mailing"]),
    .executableTarget(
      name: "MainActorConsumer",
      dependencies: [.product(name: "ActorDI", package: "ActorDI"), "Checks"],
      swiftSettings: [.defaultIsolation(MainActor.self)]),
    .executableTarget(
      name: "Swift5Consumer",
      dependencies: [.product(name: "ActorDI", package: "ActorDI"), "Checks"],
      swiftSettings: swift5),
    .testTarget(
      name: "Swift5ConsumerTests",
      dependencies: [
        .product(name: "ActorDI", package: "ActorDI"), .product(name: "ActorDITesting", package: "ActorDI"),
      ],
      swiftSettings: swift5),
  ]
)
