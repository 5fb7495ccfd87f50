// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Logging
import Synchronization

/// A logger of the process that is made when it is first asked for: a program may set its log up after it has made a client.
final class LateLogger: Sendable {
    private let label: String
    private let made: Mutex<Logger?>

    /// - Parameters:
    ///   - logger: A logger that there is already; `nil` for one of the process, which lets all pass, as ``LogLevel`` decides.
    ///   - label: What the process's logger is called.
    init(_ logger: Logger? = nil, label: String = "simorgh") {
        self.label = label
        made = Mutex(logger)
    }

    var value: Logger {
        if let logger = made.withLock({ $0 }) { return logger }
        // What makes it is the program's own, so it is made outside the lock; of two, the first stays.
        var new = Logger(label: label)
        new.logLevel = .trace
        let logger = new
        return made.withLock { made in
            if let made { return made }
            made = logger
            return logger
        }
    }
}
