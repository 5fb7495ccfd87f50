// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Settings of the offline queue, which holds requests while there is no network, and then sends them in order.
///
/// Only requests that may safely be sent late are queued: those with an idempotent method or an `Idempotency-Key`,
/// whose response is not a stream. A request with an unsafe method is sent after the responses to earlier ones, and
/// waits behind them even if the network is available again; a request with a safe method delays no others. If this
/// machine has a network but no internet connection, a request is tried first, since its host may be on the local
/// network, and is queued if it fails for that reason. Requests to this machine or a private network by address or name
/// (`localhost`, `192.168.0.9`, `printer.local`), and requests through a proxy, a Unix socket or to explicit addresses,
/// are never queued; neither is a request for which a cache has a stale response to use instead
/// (``CacheConfiguration/staleIfError``, `AppCacheConfiguration.staleFallback`).
///
/// ```swift
/// let patient = client.with { $0.resilience.offlineQueue = OfflineQueue() }
/// ```
/// Over a transport that can wait for the network itself, `URLSessionTransport` on Apple platforms, the requests wait
/// there, and the status of the monitor does not matter.
///
/// The queue is not persistent: it ends with its process. A request that must survive the process needs a key of the
/// program's own, stored with it (``IdempotencyKey``). A waiting call can be cancelled, its ``Timeouts/total``
/// continues to run, and ``NetworkEvent/wait(_:)`` reports the wait.
public struct OfflineQueue: Sendable, Hashable {
    /// The maximum number of waiting requests.
    ///
    /// Default: 100.
    ///
    /// A request beyond the limit fails at once, as without a queue. If the network is available by then, it is sent,
    /// but not before a waiting request that changes the same URL.
    public var maximumWaiting = 100
    /// The longest time for which a request may wait for the network.
    ///
    /// Default: 5 minutes.
    ///
    /// It then fails with ``TransportError/Code/notConnectedToInternet``. A request that by then waits only for other
    /// requests is sent.
    public var maximumWait: Duration = .seconds(300)

    /// Creates the default settings.
    public init() {}
}
