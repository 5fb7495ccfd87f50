// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Darwin)
extension Platform {
    /// Where a program keeps what should outlive it, for this user.
    package static let stateFolder = NSHomeDirectory() + "/Library/Caches"
}
#else
extension Platform {
    /// Where a program keeps what should outlive it, for this user.
    package static let stateFolder: String = {
        let environment = ProcessInfo.processInfo.environment
        if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") { return folder }
        return (environment["HOME"] ?? "/tmp") + "/.local/state"
    }()
}
#endif
