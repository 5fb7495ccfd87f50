// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport
import Synchronization

/// The bandwidth limits: in total, per host, and per download.
package final class BandwidthLimits: Sendable {
    private struct State {
        var all: ByteTokenBucket
        var perHost: Int64?
        var hosts: [String: ByteTokenBucket] = [:]
        var tasks: [UUID: ByteTokenBucket] = [:]
    }

    private let clock: Stopwatch
    private let state: Mutex<State>

    package init(_ config: DownloadManagerConfig, time: TimeSource) {
        clock = time.stopwatch()
        state = Mutex(
            State(
                all: ByteTokenBucket(bytesPerSecond: config.maximumBytesPerSecond),
                perHost: config.maximumBytesPerSecondPerHost))
    }

    /// Counts received bytes.
    ///
    /// - Returns: The time to pause reading.
    package func take(_ count: Int, for id: UUID, from host: String) -> Duration {
        let now = clock.elapsed
        return state.withLock { state in
            var wait = state.all.take(count, at: now)
            if let rate = state.perHost {
                wait = max(wait, state.hosts[host, default: ByteTokenBucket(bytesPerSecond: rate)].take(count, at: now))
            }
            return max(wait, state.tasks[id]?.take(count, at: now) ?? .zero)
        }
    }

    /// Returns the time to pause reading under the current limits.
    package func owed(by id: UUID, to host: String) -> Duration {
        let now = clock.elapsed
        return state.withLock { state in
            max(
                state.all.owed(at: now), state.hosts[host]?.owed(at: now) ?? .zero,
                state.tasks[id]?.owed(at: now) ?? .zero)
        }
    }

    /// Changes the total limit and the limit per host.
    package func change(all: Int64?, perHost: Int64?) {
        let now = clock.elapsed
        state.withLock { state in
            state.all.change(to: all, at: now)
            state.perHost = perHost
            if perHost == nil { state.hosts = [:] }
            for host in state.hosts.keys { state.hosts[host]?.change(to: perHost, at: now) }
        }
    }

    /// Changes the limit of one download; `nil` for no limit.
    package func change(_ id: UUID, to rate: Int64?) {
        let now = clock.elapsed
        state.withLock { state in
            guard let rate else { return state.tasks[id] = nil }
            state.tasks[id, default: ByteTokenBucket(bytesPerSecond: rate)].change(to: rate, at: now)
        }
    }
}
