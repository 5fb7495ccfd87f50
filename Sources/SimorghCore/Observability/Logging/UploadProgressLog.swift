// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// A log of the upload progress of a call: at most four entries per second, and one at the end.
package final class UploadProgressLog: Sendable {
    /// The shortest time between two entries.
    private static let pause = Duration.milliseconds(250)

    private let log: NetworkLog
    private let call: CallContext.ID
    private let watch: Stopwatch
    private let showURL: @Sendable () -> String
    private let state = Mutex(State())

    private struct State {
        /// The time of the next entry.
        var due = Duration.zero
        /// The redacted URL of the call, from the first entry on.
        var url: String?
    }

    /// Creates the log of a call.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - call: The call.
    ///   - watch: The stopwatch for the time between entries.
    ///   - showURL: Returns the redacted URL of the call; called once, when the body is being sent.
    init(
        _ log: NetworkLog, call: CallContext.ID, watch: Stopwatch, showURL: @escaping @Sendable () -> String
    ) {
        self.log = log
        self.call = call
        self.watch = watch
        self.showURL = showURL
    }

    package func note(_ progress: UploadProgress) {
        let elapsed = watch.elapsed
        let isDue = state.withLock { state in
            guard progress.isFinished || elapsed >= state.due else { return false }
            state.due = elapsed + Self.pause
            state.url = state.url ?? showURL()
            return true
        }
        guard isDue else { return }
        var entry = log.entry("upload progress", call: call)
        entry.url = state.withLock { $0.url }
        entry.facts = [("bytes", "\(progress.sent)"), ("total", progress.total.map { "\($0)" } ?? "unknown")]
        log.write(entry)
    }
}
