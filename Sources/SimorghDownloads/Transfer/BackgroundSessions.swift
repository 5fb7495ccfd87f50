// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The system service that transfers files while the program does not run.
enum BackgroundSessions {
    /// True if the platform has such a service.
    #if canImport(Darwin)
    static let areAvailable = true
    #else
    static let areAvailable = false
    #endif
}
