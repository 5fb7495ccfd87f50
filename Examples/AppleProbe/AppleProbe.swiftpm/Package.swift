// swift-tools-version: 6.2
// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import AppleProductTypes
import PackageDescription

// The manifest of an app that Xcode and Swift Playgrounds open without a project; SwiftPM on Linux cannot read it.
let package = Package(
    name: "AppleProbe",
    platforms: [.iOS(.v18)],
    products: [
        .iOSApplication(
            name: "AppleProbe",
            targets: ["AppleProbe"],
            bundleIdentifier: "simorgh.AppleProbe",
            displayVersion: "1.0",
            bundleVersion: "1",
            appIcon: .placeholder(icon: .bird),
            accentColor: .presetColor(.teal),
            supportedDeviceFamilies: [.pad, .phone],
            supportedInterfaceOrientations: [.portrait, .landscapeLeft, .landscapeRight],
            additionalInfoPlistContentFilePath: "Info.plist"
        )
    ],
    dependencies: [.package(name: "simorgh", path: "../../..")],
    targets: [
        .executableTarget(
            name: "AppleProbe",
            dependencies: [
                .product(name: "Simorgh", package: "simorgh"),
                .product(name: "SimorghConformance", package: "simorgh"),
            ],
            path: "Sources"
        )
    ],
    swiftLanguageModes: [.v6]
)
