// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

let settings: [SwiftSetting] = [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")]
let strict: [SwiftSetting] = settings + [.enableUpcomingFeature("InternalImportsByDefault"), .strictMemorySafety()]

let syntax: [Target.Dependency] = [
  .product(name: "SwiftIfConfig", package: "swift-syntax"),
  .product(name: "SwiftParser", package: "swift-syntax"),
  .product(name: "SwiftSyntax", package: "swift-syntax"),
  .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
  .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
  .product(name: "SwiftDiagnostics", package: "swift-syntax"),
  .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
]

let package = Package(
  name: "ActorDIMacros",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "ActorDIMacros", targets: ["ActorDIMacros"]),
    .library(name: "ActorDIMacrosTesting", targets: ["ActorDIMacrosTesting"]),
  ],
  dependencies: [
    .package(name: "ActorDI", path: ".."),
    .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
  ],
  targets: [
    .macro(name: "ActorDIMacrosPlugin", dependencies: syntax, swiftSettings: settings),
    .target(
      name: "ActorDIMacros",
      dependencies: ["ActorDIMacrosPlugin", .product(name: "ActorDI", package: "ActorDI")],
      swiftSettings: strict),
    // Records issues of test doubles. Imports the toolchain's Testing, which a program must not.
    .target(name: "ActorDIMacrosTesting", dependencies: ["ActorDIMacros"], swiftSettings: strict),
    .testTarget(
      name: "ActorDIMacrosTests",
      dependencies: syntax + [
        "ActorDIMacrosPlugin", .product(name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ActorDIMacrosRunTests",
      dependencies: ["ActorDIMacros", "ActorDIMacrosTesting", .product(name: "ActorDI", package: "ActorDI")],
      swiftSettings: strict),
  ]
)
