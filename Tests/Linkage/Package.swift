// swift-tools-version: 6.2
// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import PackageDescription

let package = Package(
    name: "linkage",
    platforms: [.macOS(.v15)],
    // The same trait as scripts/swift, so that the library of the debug build is reused.
    dependencies: [.package(name: "simorgh", path: "../..", traits: ["Command"])],
    targets: [
        .executableTarget(
            name: "linkage",
            dependencies: [.product(name: "Simorgh", package: "simorgh")],
            swiftSettings: [.swiftLanguageMode(.v6)]
        )
    ]
)
