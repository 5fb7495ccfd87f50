// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if !canImport(os)
import Logging

/// The process's logger, where the system has no log of its own.
struct SystemLog: Sendable {
    private let logger: Logger

    init(subsystem: String) { logger = Logger(label: subsystem) }

    func write(_ entry: CallLog.Entry) {
        logger.log(level: entry.isFailure ? .error : .debug, "\(entry.message)", metadata: entry.metadata)
    }
}
#endif
