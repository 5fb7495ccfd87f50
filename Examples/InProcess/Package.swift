// swift-tools-version: 6.2
// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import PackageDescription

/// The compiler settings of the library itself.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// A separate package, so that users of Simorgh do not resolve a web server. It looks like a user's package.
let package = Package(
    name: "simorgh-in-process",
    platforms: [.macOS(.v15)],
    products: [.library(name: "HummingbirdInProcess", targets: ["HummingbirdInProcess"])],
    dependencies: [
        .package(name: "simorgh", path: "../.."),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
    ],
    targets: [
        .target(
            name: "HummingbirdInProcess",
            dependencies: [
                .product(name: "SimorghTesting", package: "simorgh"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "BirdServer",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "BirdServerTests",
            dependencies: [
                "BirdServer",
                "HummingbirdInProcess",
                .product(name: "Simorgh", package: "simorgh"),
                .product(name: "SimorghNIO", package: "simorgh"),
                .product(name: "SimorghTesting", package: "simorgh"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
    ]
)
