// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// Writes to the log how far the body of a call has come: four times a second at most, and at its end.
package final class UploadLog: Sendable {
    /// How long nothing is written after an entry.
    private static let pause = Duration.milliseconds(250)

    private let log: NetworkLog
    private let call: CallContext.ID
    private let url: String
    private let watch: Stopwatch
    /// From when on the next entry is written.
    private let due = Mutex(Duration.zero)

    init(_ log: NetworkLog, call: CallContext.ID, url: String, _ watch: Stopwatch) {
        self.log = log
        self.call = call
        self.url = url
        self.watch = watch
    }

    package func note(_ progress: UploadProgress) {
        let elapsed = watch.elapsed
        let isDue = due.withLock { due in
            guard progress.isFinished || elapsed >= due else { return false }
            due = elapsed + Self.pause
            return true
        }
        guard isDue else { return }
        var entry = log.entry("upload progress", call)
        entry.url = url
        entry.facts = [("bytes", "\(progress.sent)"), ("total", progress.total.map { "\($0)" } ?? "unknown")]
        log.write(entry)
    }
}
