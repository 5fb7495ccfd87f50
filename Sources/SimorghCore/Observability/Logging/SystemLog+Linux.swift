// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if !canImport(os)
import Logging

/// The process's logger, for systems without a unified log.
struct SystemLog: Sendable {
    private let logger: LazyLogger

    init(subsystem: String) { logger = LazyLogger(label: subsystem) }

    func write(_ text: String, isFailure: Bool) { logger.value.log(level: isFailure ? .error : .debug, "\(text)") }
}
#endif
