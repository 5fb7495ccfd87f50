// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The options of an ``EventSource`` for connecting and reconnecting.
public struct EventSourceOptions: Sendable {
    /// The event id to resume after, for example from an earlier run of the program.
    ///
    /// Empty for a new stream, or to use the id in the call's own `Last-Event-ID` field.
    public var lastEventID = ""
    /// The wait before a reconnect, unless the server sends `retry:` or `Retry-After`.
    ///
    /// Default: 3 seconds.
    ///
    /// The wait doubles, to at least one second, from the second attempt in a row that brings neither an event nor a
    /// connection that lasts longer than the wait before it. Up to 50% of random jitter is added, so that the clients
    /// of a restarted server do not all reconnect at once. The wait is never shorter than 500 milliseconds, whatever
    /// is set here or requested by the server.
    public var reconnectDelay: Duration = .seconds(3)
    /// The longest wait that doubling can reach.
    ///
    /// Default: 1 minute.
    ///
    /// A longer wait that the server requests is respected, up to 1 hour.
    public var maximumReconnectDelay: Duration = .seconds(60)
    /// The number of attempts in a row that may fail to open a stream before it ends with an error.
    ///
    /// Default: 10.
    ///
    /// A stream that opens resets the count, even if it brings no event, because a feed can be idle. With 0 there is no
    /// reconnect. Attempts without a network do not count (``maximumOfflineWait``).
    public var maximumReconnects = 10
    /// The time in which attempts without a network do not count, as the sum of the waits after them.
    ///
    /// Default: 1 hour.
    ///
    /// It applies after the first stream has opened, if the client's network monitor knows that there is no network, or if
    /// the request may not use the current one (``APIClient/Configuration/access``). Each wait lasts
    /// ``maximumReconnectDelay`` or until the network is back. With zero, such attempts count like others.
    public var maximumOfflineWait: Duration = .seconds(3600)
    /// True if a request that is not idempotent, such as POST, may be sent again to reconnect.
    ///
    /// Default: false.
    ///
    /// If false, such a stream ends when its response ends. The method of the call counts, not the method of a
    /// redirect.
    public var repeatsUnsafeRequests = false
    /// The largest size of all lines of an event together, in bytes.
    ///
    /// Default: 1 MiB.
    public var maximumEventBytes = 1024 * 1024
    /// Returns when the network is back.
    ///
    /// Called during each wait for a reconnect, which then ends early.
    ///
    /// If `nil`, the default, the client's ``APIClient/Configuration/networkMonitor`` is used. The task is cancelled
    /// at the end of the wait.
    public var onNetworkAvailable: (@Sendable () async -> Void)?
    /// Receives each change of state, in order, before the next event is delivered.
    public var onState: (@Sendable (EventSourceState) -> Void)?

    /// Creates the defaults.
    public init() {}
}

/// The state of an ``EventSource``.
public enum EventSourceState: Sendable {
    /// It is connecting; `attempt` counts from 1.
    case connecting(attempt: Int)
    /// The server responded with a stream. The status and the header fields are available.
    case open(CollectedResponse)
    /// The stream ended or could not be opened because of a transient error; it waits before it reconnects.
    case waiting(Duration, after: NetworkError?)
    /// The stream has ended permanently, without an error if the server sent 204. Reported once.
    case closed(NetworkError?)
}
