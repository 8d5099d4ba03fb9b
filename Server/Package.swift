// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .strictMemorySafety(), .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility"),
]

let actorDI = Target.Dependency.product(name: "ActorDI", package: "ActorDI")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "Metrics", package: "swift-metrics")
let tracing = Target.Dependency.product(name: "Tracing", package: "swift-distributed-tracing")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let configuration = Target.Dependency.product(name: "Configuration", package: "swift-configuration")
let grpc = Target.Dependency.product(name: "GRPCCore", package: "grpc-swift-2")

let package = Package(
  name: "ActorDIServer",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "ActorDIServiceLifecycle", targets: ["ActorDIServiceLifecycle"]),
    .library(name: "ActorDILogging", targets: ["ActorDILogging"]),
    .library(name: "ActorDIMetrics", targets: ["ActorDIMetrics"]),
    .library(name: "ActorDITracing", targets: ["ActorDITracing"]),
    .library(name: "ActorDIHummingbird", targets: ["ActorDIHummingbird"]),
    .library(name: "ActorDIGRPC", targets: ["ActorDIGRPC"]),
    .library(name: "ActorDIConfiguration", targets: ["ActorDIConfiguration"]),
    .library(name: "ActorDIInspector", targets: ["ActorDIInspector"]),
  ],
  dependencies: [
    .package(name: "ActorDI", path: ".."),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.0.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/grpc/grpc-swift-2", from: "2.4.3"),
    .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
  ],
  targets: [
    .target(
      name: "ActorDIServiceLifecycle",
      dependencies: [
        actorDI, serviceLifecycle, logging, .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      swiftSettings: settings),
    .target(name: "ActorDILogging", dependencies: [actorDI, logging], swiftSettings: settings),
    .target(name: "ActorDIMetrics", dependencies: [actorDI, metrics], swiftSettings: settings),
    .target(name: "ActorDITracing", dependencies: [actorDI, tracing], swiftSettings: settings),
    .target(
      name: "ActorDIHummingbird",
      dependencies: [
        actorDI, hummingbird, logging, .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"),
      ],
      swiftSettings: settings),
    .target(name: "ActorDIGRPC", dependencies: [actorDI, grpc], swiftSettings: settings),
    .target(name: "ActorDIConfiguration", dependencies: [actorDI, configuration], swiftSettings: settings),
    .target(name: "ActorDIInspector", dependencies: [actorDI], swiftSettings: settings),
    .testTarget(
      name: "ActorDIServiceLifecycleTests",
      dependencies: [
        "ActorDIServiceLifecycle", logging,
        .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ActorDIObservabilityTests",
      dependencies: [
        "ActorDILogging", "ActorDIMetrics", "ActorDITracing", tracing,
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ActorDIHummingbirdTests",
      dependencies: [
        "ActorDIHummingbird", "ActorDIInspector", .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "InMemoryLogging", package: "swift-log"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ActorDIGRPCTests",
      dependencies: ["ActorDIGRPC", .product(name: "GRPCInProcessTransport", package: "grpc-swift-2")],
      swiftSettings: settings),
    .testTarget(name: "ActorDIConfigurationTests", dependencies: ["ActorDIConfiguration"], swiftSettings: settings),
    .testTarget(name: "ActorDIInspectorTests", dependencies: ["ActorDIInspector"], swiftSettings: settings),
  ]
)
