// swift-tools-version: 6.2
import PackageDescription

// A package of its own: who uses ViewDelta should not fetch Hummingbird.
let package = Package(
  name: "HummingbirdPeer",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0")
  ],
  targets: [
    .executableTarget(
      name: "HummingbirdPeer",
      dependencies: [.product(name: "Hummingbird", package: "hummingbird")],
      path: "Sources",
      swiftSettings: [
        .swiftLanguageMode(.v6),
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ])
  ]
)
