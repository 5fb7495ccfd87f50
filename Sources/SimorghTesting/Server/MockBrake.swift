// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore

/// Reads a request slowly: what was taken is followed by a pause of as long as it should have taken.
///
/// It belongs to the loop of its connection.
final class MockBrake {
    private let time: TimeSource
    private let threads: ServerThreads
    /// How many bytes were taken since the last pause.
    private var taken = 0
    private var pause: Task<Void, Never>?

    init(_ time: TimeSource, _ threads: ServerThreads) {
        self.time = time
        self.threads = threads
    }

    func took(_ count: Int) { taken += count }

    /// The request has come whole: for what comes next nothing is owed.
    ///
    /// - Parameter pace: How fast it is read; `nil` for as fast as it comes.
    /// - Returns: How long what was taken since the last pause should have taken.
    func settle(_ pace: WireScript.Throttle?) -> Duration {
        defer { taken = 0 }
        return pace?.time(for: taken) ?? .zero
    }

    /// Whether nothing more is to be read for now.
    ///
    /// - Parameters:
    ///   - pace: How fast the request is read.
    ///   - loop: The loop of the connection.
    ///   - goOn: Called there when the pause is over that was begun by this.
    /// - Returns: Whether there is a pause.
    func holds(
        _ pace: WireScript.Throttle, on loop: any EventLoop, then goOn: @escaping @Sendable () -> Void
    ) -> Bool {
        guard pause == nil else { return true }
        guard taken > 0 else { return false }
        let (time, threads, duration) = (time, threads, pace.time(for: taken))
        taken = 0
        let here = NIOLoopBound(self, eventLoop: loop)
        threads.began()
        pause = Task {
            defer { threads.ended() }
            try? await time.sleep(for: duration)
            loop.execute {
                here.value.pause = nil
                goOn()
            }
        }
        return true
    }

    /// The connection has ended.
    func release() { pause?.cancel() }
}
