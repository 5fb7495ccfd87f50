// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Keeps requests that are made while there is no way to the internet, and sends them, one after the other in the order in
/// which they came, when there is one.
///
/// Kept are requests that may safely be sent late: those of an idempotent method, or with an `Idempotency-Key`, whose
/// response is no stream. A request that another is waiting before waits behind it, and is sent when that one has its
/// answer. What is on this machine or a private network (`localhost`, `192.168.0.9`, `printer.local`) is never kept.
///
/// ```swift
/// let patient = client.with { $0.offlineQueue = OfflineQueue() }
/// ```
/// Nothing is written down: a queue ends with its process. A waiting call can be cancelled, its ``Timeouts/total`` goes on,
/// and ``NetworkEvent/wait(_:)`` tells of it.
public struct OfflineQueue: Sendable, Hashable {
    /// How many requests may wait; 100 by default.
    ///
    /// One more fails at once, as any request does without a queue.
    public var maximumWaiting = 100
    /// How long a request may wait for the network in all, before it fails with
    /// ``TransportError/Code/notConnectedToInternet``; 5 minutes by default.
    public var longestWait: Duration = .seconds(300)

    /// Creates the default queue.
    public init() {}
}
