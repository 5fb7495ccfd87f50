// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(os)
import os

/// The unified log.
struct SystemLog: Sendable {
    private let logger: os.Logger

    init(subsystem: String) { logger = os.Logger(subsystem: subsystem, category: "network") }

    func write(_ entry: CallLog.Entry) {
        let text = entry.text
        logger.log(level: entry.isFailure ? .error : .debug, "\(text, privacy: .private)")
    }
}

extension CallLog.Entry {
    /// One line: the message, and what belongs to the call, sorted by name.
    fileprivate var text: String {
        let values = metadata.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return "\(message) \(values.joined(separator: " "))"
    }
}
#endif
