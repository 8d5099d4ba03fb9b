// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "ActorDI", path: "..")],
  targets: [
    .executableTarget(
      name: "ActorDIFuzz",
      dependencies: [.product(name: "ActorDI", package: "ActorDI")],
      exclude: ["Reference/ReferenceTests.swift"])
  ],
  swiftLanguageModes: [.v6]
)
