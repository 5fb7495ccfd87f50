// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(os)
import SimorghSupport
import os

/// The unified log.
struct SystemLog: Sendable {
    private let logger: os.Logger

    init(subsystem: String) { logger = os.Logger(subsystem: subsystem, category: "network") }

    /// Logs a text, whose secrets must be redacted already.
    ///
    /// It is `public`, because the system would mask a private text; and not at level `debug`, which the system does
    /// not store. A long text is logged in several messages, because the system would truncate it.
    func write(_ text: String, isFailure: Bool) {
        for piece in LogPieces.split(text) {
            logger.log(level: isFailure ? .error : .default, "\(String(piece), privacy: .public)")
        }
    }
}
#endif
