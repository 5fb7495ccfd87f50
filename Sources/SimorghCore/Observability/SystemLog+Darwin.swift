// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(os)
import os

/// The unified log.
struct SystemLog: Sendable {
    private let logger: os.Logger

    init(subsystem: String) { logger = os.Logger(subsystem: subsystem, category: "network") }

    /// Writes a text, which only who reads this machine's log as its owner sees.
    func write(_ text: String, isFailure: Bool) {
        logger.log(level: isFailure ? .error : .debug, "\(text, privacy: .private)")
    }
}
#endif
