// swift-tools-version: 6.2
// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import PackageDescription

/// The compiler settings of the library itself.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// A separate package, so that users of Simorgh do not resolve the clients it is compared with. Each client is a
// separate program, so that each links only what its users link. Benchmarks/run builds Sources/bench-go, with Go.
let package = Package(
    name: "simorgh-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "simorgh", path: "..", traits: ["Telemetry"]),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.0"),
        .package(url: "https://github.com/swift-server/async-http-client.git", exact: "1.37.0"),
    ],
    targets: [
        .target(name: "Harness", swiftSettings: settings),
        .executableTarget(
            name: "bench-simorgh",
            dependencies: [
                "Harness",
                .product(name: "Simorgh", package: "simorgh"),
                .product(name: "SimorghNIO", package: "simorgh"),
                .product(name: "SimorghTelemetry", package: "simorgh"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "bench-streaming",
            dependencies: [
                .product(name: "Simorgh", package: "simorgh")
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "bench-websocket",
            dependencies: [
                .product(name: "SimorghCore", package: "simorgh"),
                .product(name: "SimorghRealtime", package: "simorgh"),
                .product(name: "SimorghNIO", package: "simorgh"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "bench-nio",
            dependencies: [
                "Harness",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "bench-ahc",
            dependencies: [
                "Harness",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(name: "bench-urlsession", dependencies: ["Harness"], swiftSettings: settings),
        .executableTarget(name: "bench-libcurl", linkerSettings: [.linkedLibrary("curl")]),
    ]
)
