// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(os)
import os

/// The unified log.
struct SystemLog: Sendable {
    private let logger: os.Logger

    init(subsystem: String) { logger = os.Logger(subsystem: subsystem, category: "network") }

    /// Writes a text, in which nothing is secret any more: private, the system would show nobody what the library shows; at
    /// the level for debugging, it would not keep it.
    func write(_ text: String, isFailure: Bool) {
        logger.log(level: isFailure ? .error : .default, "\(text, privacy: .public)")
    }
}
#endif
