// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The platform that the program runs on.
package enum Platform {
    /// A system, as far as its rules differ for folders, permissions and sockets.
    package enum System: Hashable, Sendable, CaseIterable {
        case iOS, macOS, tvOS, visionOS, watchOS
        /// Linux and other systems that are not Apple's.
        case other
    }

    /// The system that the program was built for; Mac Catalyst has the rules of macOS.
    #if os(macOS) || targetEnvironment(macCatalyst)
    package static let system = System.macOS
    #elseif os(iOS)
    package static let system = System.iOS
    #elseif os(tvOS)
    package static let system = System.tvOS
    #elseif os(visionOS)
    package static let system = System.visionOS
    #elseif os(watchOS)
    package static let system = System.watchOS
    #else
    package static let system = System.other
    #endif

    /// The name of the system.
    package static let name = system == .other ? otherName : "\(system)"

    #if os(Android)
    private static let otherName = "Android"
    #elseif os(Linux)
    private static let otherName = "Linux"
    #else
    private static let otherName = "Unknown"
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
