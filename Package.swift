// swift-tools-version: 6.2
import PackageDescription

/// Every target is held to the same rules, so that none can drift.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Of the libraries that the tests, and the servers that they start, spend most of their time in. With
/// `VIEWDELTA_OPTIMIZE` set they are optimized, with all checks of a debug build. Unsafe flags keep a package from
/// being a dependency, so a user has none.
let hot =
  Context.environment["VIEWDELTA_OPTIMIZE"] == nil
  ? strict
  : strict + [
    .unsafeFlags([
      "-O", "-wmo", "-disable-batch-mode", "-num-threads", "1", "-assert-config", "Debug",
    ])
  ]

let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let httpTypesFoundation = Target.Dependency.product(
  name: "HTTPTypesFoundation", package: "swift-http-types")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
// The product Collections has all modules of the package, which take a minute more to build than these.
let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let hashTrees = Target.Dependency.product(name: "HashTreeCollections", package: "swift-collections")
let ordered = Target.Dependency.product(name: "OrderedCollections", package: "swift-collections")
let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let grdb = Target.Dependency.product(
  name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"]))
let hiredis = Target.Dependency.target(name: "CHiredis", condition: .when(traits: ["Redis"]))
let unixSignals = Target.Dependency.product(
  name: "UnixSignals", package: "swift-service-lifecycle")

/// The module `ViewDelta`, and those that it exports. A target that imports it names all of them, because the package
/// manager compiles a target again only if a module that it names has changed.
let viewDelta = [
  "CanonicalJSON", "Forms", "MicroHTTP", "Snapshots", "ViewDelta", "ViewDeltaServer", "ViewState",
]

let package = Package(
  name: "ViewDelta",
  // The oldest with the locks of the standard library (`Mutex`). The server needs libmicrohttpd, which
  // Apple's phones do not have: it is for `ViewDeltaClient` that they are listed.
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "ViewDelta", targets: viewDelta),
    .executable(name: "viewdelta", targets: ["ViewDeltaDemo"]),
    .library(name: "ViewDeltaClient", targets: ["CanonicalJSON", "Snapshots", "ViewDeltaClient"]),
    .library(
      name: "ViewDeltaTesting",
      targets: ["CanonicalJSON", "Snapshots", "ViewDeltaTesting", "ViewState"]),
    .library(name: "ViewDeltaSQLite", targets: ["ViewDeltaSQLite"]),
    .library(name: "ViewDeltaRedis", targets: ["ViewDeltaRedis"]),
  ],
  traits: [
    // Without it nothing needs GRDB, which takes a minute to build.
    .trait(name: "SQLite", description: "A journal in a SQLite file; needs libsqlite3."),
    .trait(name: "Redis", description: "A journal that servers share in Redis; needs libhiredis."),
    .default(enabledTraits: ["Redis", "SQLite"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    // The libraries, from the ground up: a target imports only what stands above it.
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(
      name: "CDeflate", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"])]),
    // Without the file of pkg-config, which has a flag that the package manager refuses.
    .systemLibrary(name: "CHiredis", providers: [.apt(["libhiredis-dev"])]),
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),
    .target(name: "COpenAPI", exclude: ["openapi.json"]),
    .target(name: "Gzip", dependencies: ["CDeflate"], swiftSettings: strict),
    .target(name: "CanonicalJSON", swiftSettings: hot),
    .target(
      name: "Snapshots",
      dependencies: [
        "CanonicalJSON", .target(name: "CNettle", condition: .when(platforms: [.linux])),
        hashTrees,
      ],
      swiftSettings: hot),
    .target(
      name: "ViewState", dependencies: ["CanonicalJSON", "Snapshots", deque, hashTrees, ordered],
      swiftSettings: hot),
    .target(
      name: "Forms", dependencies: ["CanonicalJSON", "Snapshots", "ViewState"],
      swiftSettings: strict),
    .target(
      name: "MicroHTTP", dependencies: ["CMicroHTTPD", "CanonicalJSON", httpTypes, logging],
      swiftSettings: strict),
    .target(name: "Pages", dependencies: ["Snapshots"], swiftSettings: hot),
    .target(
      name: "ViewDeltaServer",
      dependencies: [
        "COpenAPI", "CanonicalJSON", "Gzip", "MicroHTTP", "Pages", "Snapshots", "ViewState",
        httpTypes, ordered,
      ],
      swiftSettings: strict),
    .target(
      name: "ViewDeltaClient",
      dependencies: ["CanonicalJSON", "Snapshots", httpTypes, httpTypesFoundation],
      swiftSettings: strict),
    // What a package that writes screens imports.
    .target(
      name: "ViewDelta",
      dependencies: [
        "CanonicalJSON", "Forms", "MicroHTTP", "Snapshots", "ViewDeltaServer", "ViewState",
        argumentParser,
        httpTypes, logging, unixSignals,
      ],
      swiftSettings: strict),

    // Journals, empty without their traits: in a file, and in Redis.
    .target(
      name: "ViewDeltaSQLite", dependencies: ["CanonicalJSON", "ViewState", grdb],
      path: "Sources/Journals/SQLite", swiftSettings: strict),
    .target(
      name: "ViewDeltaRedis", dependencies: ["CanonicalJSON", "ViewState", hiredis],
      path: "Sources/Journals/Redis", swiftSettings: strict),

    // What tests of such screens import.
    .target(
      name: "ViewDeltaTesting", dependencies: ["CanonicalJSON", "Snapshots", "ViewState"],
      swiftSettings: strict),

    // The demo: features, and the command `viewdelta`. Without package access the compiler refuses names of
    // the libraries that are not public, so that a user of the library could have written each screen. No folder
    // may have the name of another in lower case: a disk of Apple's takes the two for one.
    .target(
      name: "Screens",
      dependencies: [
        "CCurl", "CanonicalJSON", "Forms", "MicroHTTP", "Snapshots", "ViewDeltaServer", "ViewState",
        hashTrees, httpTypes,
      ],
      packageAccess: false, swiftSettings: strict),
    .executableTarget(
      name: "ViewDeltaDemo",
      dependencies: viewDelta.map { .target(name: $0) } + [
        "Screens",
        .target(name: "ViewDeltaRedis", condition: .when(traits: ["Redis"])),
        .target(name: "ViewDeltaSQLite", condition: .when(traits: ["SQLite"])), argumentParser,
      ],
      packageAccess: false, swiftSettings: strict),

    // The tests: one folder per target, and what they share.
    .target(
      name: "TestSupport",
      dependencies: ["CanonicalJSON", "Snapshots", "ViewDeltaTesting", "ViewState", logging],
      path: "Tests/TestSupport", swiftSettings: strict),
    .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
    .target(name: "FailingDisk", path: "Tests/FailingDisk"),
    .testTarget(name: "GzipTests", dependencies: ["Gzip", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "CanonicalJSONTests", dependencies: ["CanonicalJSON", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "SnapshotsTests",
      dependencies: ["AllocationCounter", "CanonicalJSON", "Snapshots", "TestSupport"],
      swiftSettings: strict),
    .testTarget(name: "PagesTests", dependencies: ["Pages"], swiftSettings: strict),
    .testTarget(
      name: "ViewStateTests",
      dependencies: [
        "CanonicalJSON", "Snapshots", "TestSupport", "ViewDeltaTesting", "ViewState",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ScreensTests",
      dependencies: [
        "CanonicalJSON", "Forms", "Gzip", "Screens", "Snapshots", "TestSupport", "ViewState",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "MicroHTTPTests", dependencies: ["MicroHTTP", "TestSupport", httpTypes, logging],
      swiftSettings: strict),
    .testTarget(
      name: "ViewDeltaServerTests",
      dependencies: [
        "AllocationCounter", "CanonicalJSON", "Forms", "Gzip", "MicroHTTP", "Screens", "Snapshots",
        "TestSupport", "ViewDelta", "ViewDeltaClient", "ViewDeltaServer", "ViewDeltaTesting",
        "ViewState", argumentParser, httpTypes, logging,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ViewDeltaRedisTests",
      dependencies: [
        "CanonicalJSON", "Snapshots", "TestSupport", "ViewDeltaRedis", "ViewState",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ViewDeltaSQLiteTests",
      dependencies: [
        "CanonicalJSON", "FailingDisk", "Snapshots", "TestSupport", "ViewDeltaSQLite", "ViewState",
        grdb,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ViewDeltaClientTests",
      dependencies: ["CanonicalJSON", "Snapshots", "TestSupport", "ViewDeltaClient", httpTypes],
      swiftSettings: strict),
    .testTarget(
      name: "ViewDeltaTests",
      dependencies: [
        "CanonicalJSON", "InputFuzzer", "Snapshots", "TestSupport", "ViewDeltaClient",
        "ViewDeltaDemo", httpTypes,
      ],
      swiftSettings: strict),

    // The program of the README, which uses public names only.
    .executableTarget(
      name: "Shopping", dependencies: viewDelta.map { .target(name: $0) }, path: "Tests/Shopping",
      packageAccess: false, swiftSettings: strict),
    // The benchmarks: `scripts/benchmark` builds and runs them.
    .executableTarget(
      name: "DiffBenchmark",
      dependencies: [
        "AllocationCounter", "CanonicalJSON", "Snapshots", "TestSupport", "ViewState",
      ],
      path: "Tests/Benchmarks/Diff", swiftSettings: strict),
    // The fuzzers: `scripts/fuzz` builds and runs them.
    .executableTarget(
      name: "InputFuzzer",
      dependencies: ["CanonicalJSON", "Screens", "Snapshots", "TestSupport", "ViewState"],
      path: "Tests/Fuzzing/Inputs", swiftSettings: strict),
    .executableTarget(
      name: "DiffFuzzer", dependencies: ["Snapshots", "TestSupport"], path: "Tests/Fuzzing/Diff",
      swiftSettings: strict),
  ]
)
