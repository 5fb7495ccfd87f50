// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Logging
import Synchronization

/// A logger that is created at its first use, so that a program can set up its log after it has made a client.
final class LazyLogger: Sendable {
    private let label: String
    private let created: Mutex<Logger?>

    /// Creates a lazy logger.
    ///
    /// - Parameters:
    ///   - logger: An existing logger; `nil` to create one of the process without a level limit, as ``LogLevel``
    ///     decides.
    ///   - label: The label of the created logger.
    init(_ logger: Logger? = nil, label: String = "simorgh") {
        self.label = label
        created = Mutex(logger)
    }

    var value: Logger {
        if let logger = created.withLock({ $0 }) { return logger }
        // Created outside the lock because it runs the program's code. If two threads create one, the first one is
        // kept.
        var new = Logger(label: label)
        new.logLevel = .trace
        let logger = new
        return created.withLock { created in
            if let created { return created }
            created = logger
            return logger
        }
    }
}
