// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
/// The system service that transfers files while the program does not run.
enum BackgroundSessions {
    /// True if the platform has such a service.
    static let areAvailable = true
}
#endif
