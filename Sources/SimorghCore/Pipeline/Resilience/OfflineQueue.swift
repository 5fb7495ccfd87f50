// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Keeps requests that are made while there is no network, and sends them in the order in which they came when there is one.
///
/// Kept are requests that may safely be sent late: those of an idempotent method, or with an `Idempotency-Key`, whose
/// response is no stream. One that changes something is sent when those before it have their answers, and waits behind
/// them even where it comes when there is a way again; one that changes nothing holds nobody up. Where this machine has a
/// network, but no way to the internet, a request is tried first, as its host may be near by, and kept when it fails for
/// that. What is on this machine or a private network by its address or name (`localhost`, `192.168.0.9`, `printer.local`),
/// and what goes through a proxy, a Unix socket or to addresses of its own, is never kept; and neither is a request for whose
/// answer something stands in that a cache has (``CacheConfiguration/staleIfError``, `AppCacheConfiguration.staleFallback`).
///
/// ```swift
/// let patient = client.with { $0.resilience.offlineQueue = OfflineQueue() }
/// ```
/// Nothing is written down: a queue ends with its process. A waiting call can be cancelled, its ``Timeouts/total`` goes on,
/// and ``NetworkEvent/wait(_:)`` tells of it.
public struct OfflineQueue: Sendable, Hashable {
    /// How many requests may wait; 100 by default.
    ///
    /// One more fails at once, as any request does without a queue; where there is a way by then, it is sent, though not
    /// before one that waits and changes the same URL.
    public var maximumWaiting = 100
    /// How long a request may wait for the network in all, before it fails with
    /// ``TransportError/Code/notConnectedToInternet``; 5 minutes by default.
    ///
    /// One that only waits for others by then is sent.
    public var longestWait: Duration = .seconds(300)

    /// Creates the default queue.
    public init() {}
}
