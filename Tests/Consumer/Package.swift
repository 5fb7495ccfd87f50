// swift-tools-version: 6.2
// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import PackageDescription

// A user's package. scripts/checks/consumer compiles its sources as this manifest would, without a separate build.
let package = Package(
    name: "consumer",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "simorgh", path: "../..")],
    targets: [
        .target(
            name: "Consumer",
            dependencies: [.product(name: "Simorgh", package: "simorgh")],
            swiftSettings: [.swiftLanguageMode(.v6)]
        )
    ]
)
