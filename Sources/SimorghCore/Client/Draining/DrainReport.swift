// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// The work that ``APIClient/drain(within:)`` has stopped.
public struct DrainReport: Sendable, Hashable {
    package let outcome: DrainGate.Outcome
    /// The requests that the engine or a `URLSessionTransport` had, sent or queued, in no particular order; those of
    /// parked downloads may be among them.
    ///
    /// Cancelled calls over other transports, that waited, or that shared another call's exchange, are only counted.
    public let requests: [FailureContext]

    package init(_ outcome: DrainGate.Outcome, requests: [FailureContext]) {
        self.outcome = outcome
        self.requests = requests
    }

    /// The number of calls that were cancelled because they still ran at the end of the time.
    public var calls: Int { outcome.calls }
    /// The number of streams that were cancelled because they still ran at the end of the time.
    public var streams: Int { outcome.streams }
    /// The number of WebSockets and subscription connections that were dropped before they had closed.
    public var connections: Int { outcome.connections }
    /// The number of unfinished downloads; the next manager of their folder resumes them.
    public var downloads: Int { outcome.downloads }
    /// The number of event sources, and GraphQL subscriptions over HTTP, that were stopped while they were
    /// connected or connecting.
    public var eventSources: Int { outcome.eventSources }
    /// True if no call or stream was cancelled, and no connection was dropped.
    public var isComplete: Bool { calls == 0 && streams == 0 && connections == 0 }
}

extension DrainReport: CustomStringConvertible {
    /// The numbers of the report, without the requests.
    public var description: String {
        "cancelled: calls \(calls), streams \(streams), connections \(connections); "
            + "stopped: event sources \(eventSources), downloads \(downloads)"
    }
}

/// The error of a call that was refused because its client is draining or drained; no byte of it has been sent.
///
/// It is the ``NetworkError/underlyingError`` of a call. WebSockets and subscriptions have errors of their own, whose
/// `underlying` error is this one or that of a call. See ``APIClient/drain(within:)``.
public struct ClientDrainedError: NonRetriableError, Sendable, Hashable, CustomStringConvertible {
    /// A description of the failure.
    public var description: String { "the client takes no new calls, because it is draining or drained" }

    package init() {}
}

extension ClientDrainedError: LocalizedError {
    /// The error's description.
    public var errorDescription: String? { description }
}
