// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if !canImport(os)
import Logging

/// The process's logger, where the system has no log of its own.
struct SystemLog: Sendable {
    private let logger: Logger

    init(subsystem: String) {
        var logger = Logger(label: subsystem)
        logger.logLevel = .trace
        self.logger = logger
    }

    func write(_ text: String, isFailure: Bool) { logger.log(level: isFailure ? .error : .debug, "\(text)") }
}
#endif
