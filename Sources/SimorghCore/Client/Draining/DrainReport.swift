// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// The work that ``APIClient/drain(within:)`` has stopped.
public struct DrainReport: Sendable, Hashable {
    package let outcome: DrainGate.Outcome
    /// The requests of the cancelled calls and streams that were on the network, in no particular order.
    public let requests: [FailureContext]

    package init(_ outcome: DrainGate.Outcome, requests: [FailureContext]) {
        self.outcome = outcome
        self.requests = requests
    }

    /// The number of calls that were cancelled because they still ran at the end of the time.
    public var calls: Int { outcome.calls }
    /// The number of streams that were cancelled because they still ran at the end of the time.
    public var streams: Int { outcome.streams }
    /// The number of WebSockets and subscription connections whose close handshake was cut short.
    public var connections: Int { outcome.connections }
    /// The number of unfinished downloads; the next manager of their folder resumes them.
    public var downloads: Int { outcome.downloads }
    /// The number of event sources that were stopped while they were connected.
    public var eventSources: Int { outcome.eventSources }
    /// True if every call, stream and connection has ended by itself in time.
    public var isComplete: Bool { calls == 0 && streams == 0 && connections == 0 }
}

/// The error of a call that was refused because its client is draining or drained; no byte of it has been sent.
///
/// It is the ``NetworkError/underlyingError`` of the call; see ``APIClient/drain(within:)``.
public struct ClientDrainedError: NonRetriableError, Sendable, Hashable, CustomStringConvertible {
    /// A description of the failure.
    public var description: String { "the client takes no new calls, because it is draining or drained" }

    package init() {}
}

extension ClientDrainedError: LocalizedError {
    /// The error's description.
    public var errorDescription: String? { description }
}
