// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// Writes to the log how far the body of a call has come: four times a second at most, and at its end.
package final class UploadLog: Sendable {
    /// How long nothing is written after an entry.
    private static let pause = Duration.milliseconds(250)

    private let log: NetworkLog
    private let call: CallContext.ID
    private let watch: Stopwatch
    private let showURL: @Sendable () -> String
    private let state = Mutex(State())

    private struct State {
        /// From when on the next entry is written.
        var due = Duration.zero
        /// The call's URL as it may be shown, from the first entry on.
        var url: String?
    }

    /// - Parameters:
    ///   - log: Where it is written.
    ///   - call: The call.
    ///   - watch: Measures the pauses.
    ///   - showURL: Gives the call's URL without secrets: asked once, when bytes of the body are on their way.
    init(
        _ log: NetworkLog, call: CallContext.ID, _ watch: Stopwatch, showURL: @escaping @Sendable () -> String
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
        var entry = log.entry("upload progress", call)
        entry.url = state.withLock { $0.url }
        entry.facts = [("bytes", "\(progress.sent)"), ("total", progress.total.map { "\($0)" } ?? "unknown")]
        log.write(entry)
    }
}
