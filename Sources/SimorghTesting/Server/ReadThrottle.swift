// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore

/// Throttles reading of a request: after each read it pauses for the time that the bytes should have taken.
///
/// It is used on the event loop of its connection only.
final class ReadThrottle {
    private let time: TimeSource
    private let threads: ServerThreads
    /// The number of bytes read since the last pause.
    private var bytesRead = 0
    private var pause: Task<Void, Never>?

    init(time: TimeSource, threads: ServerThreads) {
        self.time = time
        self.threads = threads
    }

    /// Counts bytes that were read.
    func didRead(_ count: Int) { bytesRead += count }

    /// Returns the delay of the bytes without a pause, at the end of a request, and resets their count.
    ///
    /// - Parameter pace: The throttle; `nil` for none.
    /// - Returns: The time that the bytes read since the last pause should have taken.
    func takeRemainingDelay(_ pace: ResponseDelivery.Throttle?) -> Duration {
        defer { bytesRead = 0 }
        return pace?.time(for: bytesRead) ?? .zero
    }

    /// Starts a pause if the bytes read since the last one should have taken longer.
    ///
    /// - Parameters:
    ///   - pace: The throttle of the request.
    ///   - loop: The event loop of the connection.
    ///   - resume: Called there after a pause that this call started.
    /// - Returns: True if reading is paused now.
    func pauseIfNeeded(
        for pace: ResponseDelivery.Throttle, on loop: any EventLoop, then resume: @escaping @Sendable () -> Void
    ) -> Bool {
        guard pause == nil else { return true }
        guard bytesRead > 0 else { return false }
        let (time, threads, duration) = (time, threads, pace.time(for: bytesRead))
        bytesRead = 0
        let here = NIOLoopBound(self, eventLoop: loop)
        threads.began()
        pause = Task {
            defer { threads.ended() }
            try? await time.sleep(for: duration)
            loop.execute {
                here.value.pause = nil
                resume()
            }
        }
        return true
    }

    /// Cancels the pause, because the connection has ended.
    func cancelPause() { pause?.cancel() }
}
