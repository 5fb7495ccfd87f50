// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The platform that the program runs on.
package enum Platform {
    #if os(macOS)
    package static let name = "macOS"
    #elseif os(iOS)
    package static let name = "iOS"
    #elseif os(tvOS)
    package static let name = "tvOS"
    #elseif os(watchOS)
    package static let name = "watchOS"
    #elseif os(visionOS)
    package static let name = "visionOS"
    #elseif os(Android)
    package static let name = "Android"
    #elseif os(Linux)
    package static let name = "Linux"
    #else
    package static let name = "Unknown"
    #endif

    /// The version of the operating system, such as `6.12.0`; on Linux that of the kernel.
    package static let version: String = {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
    }()

    /// The name of the program, without its folder.
    package static let programName: String = {
        let name = (CommandLine.arguments.first ?? "").cut(at: "/", keepsEmpty: false).last.map(String.init)
        return name ?? ProcessInfo.processInfo.processName
    }()
}
