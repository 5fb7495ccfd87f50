// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// How an ``EventSource`` connects, and how it comes back.
public struct EventSourceOptions: Sendable {
    /// The id to go on after, from an earlier run of the program say; empty for a new stream, or for the one in the
    /// call's own field `Last-Event-ID`.
    public var lastEventID = ""
    /// The wait before a reconnection, unless the server asks for another with `retry:` or `Retry-After`; 3 seconds by
    /// default.
    ///
    /// From the second attempt in a row that brings neither an event nor a connection that holds for longer than the wait
    /// before it, the wait doubles, to a second at least. Up to half of it is added by chance, so that the clients of a
    /// server that went away do not all come back at once. No wait is shorter than 500 milliseconds, whatever is set here
    /// and whatever the server asks for.
    public var reconnectDelay: Duration = .seconds(3)
    /// How long the wait may become by doubling; a minute by default.
    ///
    /// What the server asks for is kept to, up to an hour.
    public var maximumReconnectDelay: Duration = .seconds(60)
    /// How many attempts in a row may fail to open a stream before the last one's error ends it all; 10 by default.
    ///
    /// A stream that opens begins the count anew, whether it brings an event or not: a feed may be quiet. With 0 there is
    /// no connection after the first.
    public var maximumReconnects = 10
    /// Whether a request that is not idempotent, a POST say, may be sent again for a reconnection; not by default.
    ///
    /// Then its stream ends where its response ends. What counts is the method of the call, not that of a redirect.
    public var repeatsUnsafeRequests = false
    /// The most bytes of an event's lines together; 1 MiB by default.
    public var maximumEventBytes = 1024 * 1024
    /// Returns when there is a way to the network again: asked during each wait for a reconnection, which it ends early.
    ///
    /// `nil`, the default, asks the client's ``APIClient/Configuration/networkMonitor``. The task is cancelled when the wait is
    /// over.
    public var pathReturned: (@Sendable () async -> Void)?
    /// Is told of each change of state, in order, before the next event is handed out.
    public var onState: (@Sendable (EventSourceState) -> Void)?

    /// The defaults.
    public init() {}
}

/// What an ``EventSource`` is doing.
public enum EventSourceState: Sendable {
    /// It is connecting, for the n-th time, from 1.
    case connecting(attempt: Int)
    /// The server has answered with a stream: the status and the header fields are here, events may come.
    case open(CollectedResponse)
    /// The stream ended, or could not be opened for a reason that may pass; it waits before it connects again.
    case waiting(Duration, after: NetworkError?)
    /// It has ended, which is told once: for good, without an error where the server said so with 204.
    case closed(NetworkError?)
}
