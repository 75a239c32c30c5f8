// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
  name: "Todo",
  platforms: [.macOS(.v15)],
  // A program of your own has the address of ViewDelta in place of this path.
  dependencies: [.package(name: "ViewDelta", path: "../../..")],
  targets: [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(
      name: "TodoScreens",
      dependencies: ["CSQLite", .product(name: "ViewDelta", package: "ViewDelta")],
      swiftSettings: strict),
    .executableTarget(
      name: "Todo",
      dependencies: ["TodoScreens", .product(name: "ViewDelta", package: "ViewDelta")],
      swiftSettings: strict),
    .testTarget(
      name: "TodoTests",
      dependencies: [
        "CSQLite", "TodoScreens", .product(name: "ViewDeltaTesting", package: "ViewDelta"),
      ],
      swiftSettings: strict),
  ]
)
