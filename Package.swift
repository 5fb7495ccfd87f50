// swift-tools-version: 6.2
// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import PackageDescription

// The attribute @nonexhaustive (SE-0487) is of Swift 6.2.3, a version that the first line cannot require reliably.
#if compiler(<6.2.3)
#error("Simorgh needs Swift 6.2.3 (Xcode 26.2) or newer")
#endif

/// The privacy manifest of a target that calls required-reason API (scripts/checks/privacy-manifests).
///
/// A resource links all of Foundation, so it is added only where a manifest has a reader: on Apple platforms.
#if canImport(Darwin)
let privacyManifest: [Resource] = [.copy("PrivacyInfo.xcprivacy")]
let filesWithoutPurpose: [String] = []
#else
let privacyManifest: [Resource] = []
let filesWithoutPurpose = ["PrivacyInfo.xcprivacy"]
#endif

/// True in a build for ThreadSanitizer (scripts/sanitizers/tsan), which uses a mutex that the sanitizer can observe.
let isThreadSanitizerBuild = Context.environment["SIMORGH_TSAN"] != nil

/// Enables the sources of two other traits with the trait Command, so that the tests need only one trait.
///
/// With several traits (also through `enabledTraits`), SwiftPM 6.3 passes them to the compiler in an order that differs
/// from run to run, so that everything is recompiled.
let commandTraitDefines: [SwiftSetting] = [
    .define("Telemetry", .when(traits: ["Command"])), .define("TestCertificates", .when(traits: ["Command"])),
]

/// Settings of SimorghSupport, which re-exports the C library: with MemberImportVisibility, a whole-module build does
/// not see the members of C structures there.
let supportSettings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ] + commandTraitDefines + (isThreadSanitizerBuild ? [.define("SIMORGH_TSAN")] : [])

/// The setting that compiles out call observers, to benchmark their overhead (Benchmarks/README.md).
let withoutObservers: [SwiftSetting] = Context.environment["SIMORGH_BLIND"] == nil ? [] : [.define("SIMORGH_BLIND")]

/// Settings of all other targets: the Swift 6 language mode and upcoming language features.
let settings: [SwiftSetting] =
    supportSettings + (isThreadSanitizerBuild ? [] : [.enableUpcomingFeature("MemberImportVisibility")])
    + withoutObservers

/// Conditions under which a dependency is resolved only if a program enables the trait.
let withTelemetry: TargetDependencyCondition? = .when(traits: ["Telemetry", "Command"])
let withCertificates: TargetDependencyCondition? = .when(traits: ["TestCertificates", "Command"])
let withServiceLifecycle: TargetDependencyCondition? = .when(traits: ["ServiceLifecycle", "Command"])
let withConfiguration: TargetDependencyCondition? = .when(traits: ["Configuration", "Command"])
let withCommand: TargetDependencyCondition? = .when(traits: ["Command"])
let withYAML: TargetDependencyCondition? = .when(traits: ["YAML", "Command"])

/// Settings of targets whose sources the trait Command also enables, and of their tests.
let contractSettings: [SwiftSetting] = settings + [.define("YAML", .when(traits: ["Command"]))]
let serviceSettings: [SwiftSetting] = settings + [.define("ServiceLifecycle", .when(traits: ["Command"]))]
let configurationSettings: [SwiftSetting] = settings + [.define("Configuration", .when(traits: ["Command"]))]

/// The platforms that are not Apple's, which use OpenCombine, and the engine as the default transport.
let notApple: TargetDependencyCondition? = .when(platforms: [.linux, .android, .windows])

/// Apple's platforms, on which the default transport is `URLSession`.
let apple: TargetDependencyCondition? = .when(platforms: [.iOS, .macOS, .tvOS, .watchOS, .visionOS, .macCatalyst])

let package = Package(
    name: "simorgh",
    platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Simorgh", targets: ["Simorgh"]),
        .library(name: "SimorghCore", targets: ["SimorghCore"]),
        .library(name: "SimorghNetwork", targets: ["SimorghNetwork"]),
        .library(name: "SimorghMimeTypes", targets: ["SimorghMimeTypes"]),
        .library(name: "SimorghCompatibility", targets: ["SimorghCompatibility"]),
        .library(name: "SimorghREST", targets: ["SimorghREST"]),
        .library(name: "SimorghSigning", targets: ["SimorghSigning"]),
        .library(name: "SimorghOAuth", targets: ["SimorghOAuth"]),
        .library(name: "SimorghRealtime", targets: ["SimorghRealtime"]),
        .library(name: "SimorghGraphQL", targets: ["SimorghGraphQL"]),
        .library(name: "SimorghDownloads", targets: ["SimorghDownloads"]),
        .library(name: "SimorghNIO", targets: ["SimorghNIO"]),
        .library(name: "SimorghCombine", targets: ["SimorghCombine"]),
        .library(name: "SimorghTelemetry", targets: ["SimorghTelemetry"]),
        .library(name: "SimorghServices", targets: ["SimorghServices"]),
        .library(name: "SimorghConfiguration", targets: ["SimorghConfiguration"]),
        .library(name: "SimorghURLSession", targets: ["SimorghURLSession"]),
        .library(name: "SimorghTesting", targets: ["SimorghTesting"]),
        .library(name: "SimorghTestTraits", targets: ["SimorghTestTraits"]),
        .library(name: "SimorghContracts", targets: ["SimorghContracts"]),
        .library(name: "SimorghInspector", targets: ["SimorghInspector"]),
        .library(name: "SimorghConformance", targets: ["SimorghConformance"]),
        .executable(name: "simorgh", targets: ["SimorghCLI"]),
    ],
    traits: [
        .trait(name: "Brotli", description: "Decodes Brotli (br) response bodies with the system's libbrotlidec."),
        .trait(name: "Zstd", description: "Decodes Zstandard (zstd) response bodies with the system's libzstd."),
        .trait(name: "Telemetry", description: "Metrics and tracing with swift-metrics and swift-distributed-tracing."),
        .trait(name: "TestCertificates", description: "Test certificates in SimorghTesting, with swift-certificates."),
        .trait(name: "ServiceLifecycle", description: "Clients and downloads as services of swift-service-lifecycle."),
        .trait(name: "YAML", description: "OpenAPI documents in YAML in SimorghContracts, with Yams."),
        .trait(name: "Configuration", description: "Client settings from swift-configuration."),
        .trait(name: "Command", description: "The command simorgh; includes the traits above that add libraries."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-http-structured-headers.git", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-collections.git", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.7.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
        // Without its default trait JSON, which links all of Foundation; a program turns it on by a dependency of its own.
        .package(url: "https://github.com/apple/swift-configuration.git", from: "1.4.0", traits: []),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.0"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-certificates.git", from: "1.21.0"),
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.0"),
        .package(url: "https://github.com/OpenCombine/OpenCombine.git", from: "0.14.0"),
        .package(url: "https://github.com/jpsim/Yams.git", from: "6.2.2"),
    ],
    targets: [
        .target(
            name: "CSimorghZlib",
            linkerSettings: [.linkedLibrary("z")]
        ),
        // Headers only: the calls of rtnetlink and for files that Swift's C library overlay lacks.
        .systemLibrary(name: "CSimorghNetlink", path: "Sources/CSimorghNetlink/include"),
        // Searched for only if their trait is enabled, and only for Linux and macOS: Xcode has no such libraries.
        .systemLibrary(
            name: "CSimorghBrotli", pkgConfig: "libbrotlidec",
            providers: [.apt(["libbrotli-dev"]), .brew(["brotli"]), .yum(["brotli-devel"])]),
        .systemLibrary(
            name: "CSimorghZstd", pkgConfig: "libzstd",
            providers: [.apt(["libzstd-dev"]), .brew(["zstd"]), .yum(["libzstd-devel"])]),
        .target(
            name: "SimorghSupport",
            dependencies: [
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "RawStructuredFieldValues", package: "swift-http-structured-headers"),
            ],
            exclude: filesWithoutPurpose,
            resources: privacyManifest,
            swiftSettings: supportSettings
        ),
        .target(name: "SimorghMimeTypes", dependencies: ["SimorghSupport"], swiftSettings: settings),
        .target(
            name: "SimorghNetwork",
            dependencies: [
                "SimorghSupport",
                .target(name: "CSimorghNetlink", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "SimorghCore",
            dependencies: [
                "SimorghSupport", "SimorghMimeTypes", "SimorghNetwork",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: filesWithoutPurpose,
            resources: privacyManifest,
            swiftSettings: settings
        ),
        // The features that REST APIs need above HTTP: pages, patches, digests.
        .target(
            name: "SimorghREST",
            dependencies: [
                "SimorghSupport", "SimorghCore",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "RawStructuredFieldValues", package: "swift-http-structured-headers"),
            ],
            swiftSettings: settings
        ),
        // Request signatures: AWS Signature Version 4 and HTTP message signatures. Not part of Simorgh, because RSA links
        // BoringSSL.
        .target(
            name: "SimorghSigning",
            dependencies: [
                "SimorghSupport", "SimorghCore", "SimorghREST",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "RawStructuredFieldValues", package: "swift-http-structured-headers"),
            ],
            swiftSettings: settings
        ),
        // OAuth 2.0: sign-ins, and tokens that refresh themselves. Not part of Simorgh, because RSA links BoringSSL.
        .target(
            name: "SimorghOAuth",
            dependencies: [
                "SimorghSupport", "SimorghCore",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings
        ),
        // The API names of the five libraries that Simorgh unites.
        .target(
            name: "SimorghCompatibility",
            dependencies: [
                "SimorghSupport", "SimorghMimeTypes", "SimorghCore",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "SimorghRealtime",
            dependencies: [
                "SimorghSupport", "SimorghNetwork", "SimorghCore", "CSimorghZlib",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings
        ),
        // GraphQL over HTTP; not part of Simorgh.
        .target(
            name: "SimorghGraphQL",
            dependencies: [
                "SimorghSupport", "SimorghCore", "SimorghRealtime",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "SimorghDownloads",
            dependencies: [
                "SimorghSupport", "SimorghMimeTypes", "SimorghNetwork", "SimorghCore",
                .target(name: "CSimorghNetlink", condition: .when(platforms: [.linux])),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HeapModule", package: "swift-collections"),
                .product(name: "RawStructuredFieldValues", package: "swift-http-structured-headers"),
            ],
            exclude: filesWithoutPurpose,
            resources: privacyManifest,
            swiftSettings: settings
        ),
        .target(
            name: "SimorghNIO",
            dependencies: [
                "SimorghSupport", "SimorghCore", "SimorghRealtime",
                "CSimorghZlib",
                .target(name: "CSimorghBrotli", condition: .when(platforms: [.linux, .macOS], traits: ["Brotli"])),
                .target(name: "CSimorghZstd", condition: .when(platforms: [.linux, .macOS], traits: ["Zstd"])),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "NIOFoundationEssentialsCompat", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "SimorghCombine",
            dependencies: [
                "SimorghSupport", "SimorghCore", "SimorghREST", "SimorghCompatibility", "SimorghRealtime",
                "SimorghDownloads",
                .product(name: "OpenCombine", package: "OpenCombine", condition: notApple),
                .product(name: "OpenCombineDispatch", package: "OpenCombine", condition: notApple),
            ],
            swiftSettings: settings
        ),
        // Empty without its trait, and not part of Simorgh.
        .target(
            name: "SimorghTelemetry",
            dependencies: [
                "SimorghSupport",
                "SimorghCore",
                .product(name: "CoreMetrics", package: "swift-metrics", condition: withTelemetry),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: withTelemetry),
            ],
            swiftSettings: settings
        ),
        // Empty without its trait, and not part of Simorgh.
        .target(
            name: "SimorghServices",
            dependencies: [
                "SimorghSupport", "SimorghNetwork", "SimorghCore", "SimorghRealtime", "SimorghDownloads",
                .product(
                    name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: withServiceLifecycle),
            ],
            swiftSettings: serviceSettings
        ),
        // Empty without its trait, and not part of Simorgh.
        .target(
            name: "SimorghConfiguration",
            dependencies: [
                "SimorghSupport", "SimorghCore",
                .product(name: "Configuration", package: "swift-configuration", condition: withConfiguration),
            ],
            swiftSettings: configurationSettings
        ),
        // Links all of Foundation, and on Linux libcurl, into programs that import it; on Linux no other target depends
        // on it.
        .target(
            name: "SimorghURLSession",
            dependencies: [
                "SimorghSupport", "SimorghCore", "SimorghCompatibility", "SimorghRealtime", "SimorghDownloads",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "SimorghTesting",
            dependencies: [
                "SimorghSupport", "SimorghCore", "SimorghCompatibility", "SimorghRealtime",
                "CSimorghZlib",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "X509", package: "swift-certificates", condition: withCertificates),
                .product(name: "SwiftASN1", package: "swift-asn1", condition: withCertificates),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: settings
        ),
        // Traits of Swift Testing; links it, so no target but tests may depend on it.
        .target(
            name: "SimorghTestTraits",
            dependencies: ["SimorghSupport", "SimorghCore", "SimorghRealtime", "SimorghTesting"],
            swiftSettings: settings
        ),
        // Stubs from OpenAPI documents; YAML only with its trait.
        .target(
            name: "SimorghContracts",
            dependencies: [
                "SimorghSupport", "SimorghCore", "SimorghREST", "SimorghTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Yams", package: "Yams", condition: withYAML),
            ],
            swiftSettings: contractSettings
        ),
        // A page that shows the calls of a debug build; not part of Simorgh. Its files are embedded as bytes, because a
        // bundle of resources links all of Foundation.
        .target(
            name: "SimorghInspector",
            dependencies: [
                "SimorghSupport", "SimorghCore", "SimorghRealtime", "SimorghDownloads", "SimorghTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            resources: [
                .embedInCode("Page/index.html"), .embedInCode("Page/inspector.css"), .embedInCode("Page/inspector.js"),
                .embedInCode("Page/list.js"), .embedInCode("Page/detail.js"), .embedInCode("Page/common.js"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "Simorgh",
            dependencies: [
                "SimorghCore", "SimorghREST", "SimorghCompatibility", "SimorghRealtime", "SimorghDownloads",
                "SimorghCombine",
                .target(name: "SimorghNIO", condition: notApple),
                .target(name: "SimorghURLSession", condition: apple),
            ],
            swiftSettings: settings
        ),
        // Empty without their trait; CONTRIBUTING.md says why they are not a separate package.
        .target(
            name: "SimorghCommand",
            dependencies: [
                "SimorghSupport",
                "Simorgh",
                "SimorghREST",
                "SimorghSigning",
                "SimorghOAuth",
                "SimorghGraphQL",
                "SimorghNIO",
                "SimorghTesting",
                "SimorghInspector",
                .product(name: "X509", package: "swift-certificates", condition: withCommand),
                .product(name: "SwiftASN1", package: "swift-asn1", condition: withCommand),
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: withCommand),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "SimorghCLI",
            dependencies: ["SimorghCommand"],
            swiftSettings: settings
        ),
        .target(
            name: "TestSupport",
            dependencies: [
                "SimorghSupport", "SimorghNetwork", "SimorghCore", "SimorghCompatibility", "SimorghRealtime",
                "SimorghDownloads", "SimorghNIO", "SimorghTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
            ],
            path: "Tests/Support",
            swiftSettings: settings
        ),
        // The cases that Examples/AppleProbe checks on a device; a product, because that is a package of its own.
        .target(
            name: "SimorghConformance",
            dependencies: [
                "SimorghSupport", "SimorghNetwork", "SimorghCore", "SimorghRealtime", "SimorghTesting", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Tests/Conformance",
            swiftSettings: settings
        ),
        .testTarget(
            name: "SimorghSupportTests",
            dependencies: [
                "SimorghSupport", "TestSupport",
                .product(name: "RawStructuredFieldValues", package: "swift-http-structured-headers"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SimorghMimeTypesTests", dependencies: ["SimorghMimeTypes", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "SimorghNetworkTests",
            dependencies: ["SimorghNetwork", "SimorghTesting", "TestSupport"],
            exclude: ["Recorded"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SimorghCoreTests",
            dependencies: [
                "SimorghSupport", "SimorghCore", "SimorghCompatibility", "SimorghTesting", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SimorghRESTTests",
            dependencies: [
                "SimorghSupport", "SimorghCore", "SimorghREST", "SimorghNIO", "SimorghTesting", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SimorghSigningTests",
            dependencies: [
                "SimorghSupport", "SimorghCore", "SimorghREST", "SimorghSigning", "SimorghNIO", "SimorghTesting",
                "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SimorghOAuthTests",
            dependencies: [
                "SimorghSupport", "SimorghCore", "SimorghOAuth", "SimorghNIO", "SimorghTesting", "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SimorghCompatibilityTests",
            dependencies: [
                "SimorghSupport", "SimorghCore", "SimorghCompatibility", "SimorghTesting", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SimorghRealtimeTests",
            dependencies: [
                "SimorghSupport", "SimorghNetwork", "SimorghCore", "SimorghRealtime", "SimorghTesting", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SimorghGraphQLTests",
            dependencies: [
                "SimorghSupport", "SimorghCore", "SimorghRealtime", "SimorghGraphQL", "SimorghNIO", "SimorghTesting",
                "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SimorghDownloadsTests",
            dependencies: [
                "SimorghSupport", "SimorghCore", "SimorghDownloads", "SimorghTesting", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SimorghNIOTests",
            dependencies: [
                "SimorghSupport", "SimorghRealtime", "SimorghCore", "SimorghNIO", "SimorghTesting", "TestSupport",
                "CSimorghZlib",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SimorghCombineTests",
            dependencies: [
                "SimorghRealtime", "SimorghDownloads", "SimorghCore", "SimorghREST", "SimorghCompatibility",
                "SimorghCombine",
                "SimorghTesting", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SimorghTelemetryTests",
            dependencies: [
                "SimorghCore", "SimorghNIO", "SimorghTelemetry", "SimorghTesting", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing", condition: withTelemetry),
                .product(name: "MetricsTestKit", package: "swift-metrics", condition: withTelemetry),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: withTelemetry),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SimorghServicesTests",
            dependencies: [
                "SimorghCore", "SimorghNetwork", "SimorghRealtime", "SimorghDownloads", "SimorghNIO", "SimorghServices",
                "SimorghTesting", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(
                    name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: withServiceLifecycle),
            ],
            swiftSettings: serviceSettings
        ),
        .testTarget(
            name: "SimorghConfigurationTests",
            dependencies: [
                "SimorghSupport", "SimorghCore", "SimorghConfiguration", "SimorghTesting", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Configuration", package: "swift-configuration", condition: withConfiguration),
            ],
            swiftSettings: configurationSettings
        ),
        .testTarget(
            name: "SimorghURLSessionTests",
            dependencies: [
                "SimorghSupport", "SimorghCore", "SimorghCompatibility", "SimorghRealtime", "SimorghDownloads",
                "SimorghNIO", "SimorghURLSession", "SimorghTesting", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings
        ),
        // The snippets of the reference documentation, compiled and tested.
        .testTarget(
            name: "SimorghReferenceTests",
            dependencies: ["Simorgh", "SimorghURLSession", "SimorghTesting", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SimorghTestingTests",
            dependencies: [
                "SimorghSupport", "SimorghRealtime", "SimorghCore", "SimorghCompatibility", "SimorghTesting",
                "SimorghNIO", "SimorghConformance", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SimorghTestTraitsTests",
            dependencies: [
                "SimorghSupport", "SimorghCore", "SimorghRealtime", "SimorghTesting", "SimorghTestTraits",
                "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            exclude: ["Cassettes"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SimorghContractsTests",
            dependencies: [
                "SimorghSupport", "SimorghCore", "SimorghTesting", "SimorghContracts", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: contractSettings
        ),
        .testTarget(
            name: "SimorghInspectorTests",
            dependencies: [
                "SimorghSupport", "SimorghCore", "SimorghRealtime", "SimorghDownloads", "SimorghNIO", "SimorghTesting",
                "SimorghInspector", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "UploadProbe",
            dependencies: ["Simorgh", "SimorghCore"],
            path: "Tests/UploadProbe",
            swiftSettings: settings
        ),
        // A program that drains its client at SIGTERM, for DrainProcessTests.
        .executableTarget(
            name: "DrainProbe",
            dependencies: [
                "Simorgh", "SimorghServices",
                .product(name: "Logging", package: "swift-log"),
                .product(
                    name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: withServiceLifecycle),
                .product(name: "UnixSignals", package: "swift-service-lifecycle", condition: withServiceLifecycle),
            ],
            path: "Tests/DrainProbe",
            swiftSettings: serviceSettings
        ),
        .executableTarget(
            name: "autobahn-client",
            dependencies: [
                "SimorghRealtime", "SimorghCore", "SimorghNIO", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Tests/Peers/autobahn-client",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "CacheProbe",
            dependencies: ["SimorghCore"],
            path: "Tests/CacheProbe",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "http-cache-driver",
            dependencies: [
                "SimorghCore", "SimorghNIO",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Tests/Peers/http-cache-driver",
            swiftSettings: settings
        ),
        .testTarget(
            name: "SimorghTests",
            dependencies: [
                "SimorghSupport", "Simorgh", "SimorghGraphQL", "SimorghNIO", "SimorghOAuth", "SimorghCLI",
                "UploadProbe", "DrainProbe", "SimorghServices",
                "SimorghCommand", "SimorghContracts", "SimorghInspector", "SimorghSigning", "SimorghTesting",
                "TestSupport",
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: withCommand),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: settings
        ),
    ]
)
