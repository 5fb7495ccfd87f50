// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import Synchronization

/// The request head that a transport sends for one attempt and the response head, recorded for an observer.
///
/// An attempt without an observer has no record. If an attempt is cancelled during a body, its connection reports no
/// details, so those of the record are used.
package final class WireRecord: Sendable {
    /// The head of a request as it was sent.
    package struct SentHead: Sendable {
        /// The pseudo-header fields in order (RFC 9113, section 8.3.1); empty with HTTP/1.1.
        package let pseudoFields: [(name: String, value: String)]
        /// The header fields in order, including those of the transport.
        package let fields: HTTPFields
        /// The notes of interceptors about the request, such as which of its fields are secret.
        package let userInfo: UserInfo

        package init(pseudoFields: [(name: String, value: String)], fields: HTTPFields, userInfo: UserInfo) {
            self.pseudoFields = pseudoFields
            self.fields = fields
            self.userInfo = userInfo
        }
    }

    private struct State {
        var sent: SentHead?
        var response: HTTPResponse?
        var connection: ConnectionInfo?
    }

    /// True to also record the request head, which costs a copy, and the received part of an incomplete body.
    package let isDetailed: Bool
    private let state = Mutex(State())

    package init(isDetailed: Bool) { self.isDetailed = isDetailed }

    /// Records that the request is sent over a connection, and discards the record of an earlier connection.
    package func began(over connection: ConnectionInfo, sent: SentHead?) {
        state.withLock { $0 = State(sent: sent, connection: connection) }
    }

    /// Records the head of the final response.
    package func received(_ response: HTTPResponse) { state.withLock { $0.response = response } }

    /// The last request head that was sent; `nil` if none was sent, or if the record is not detailed.
    package var sentHead: SentHead? { state.withLock { $0.sent } }

    /// Returns the details of an attempt that ended without its connection reporting them.
    ///
    /// - Parameter timings: The durations, as far as they are known.
    /// - Returns: The details; `nil` if the attempt had no connection.
    package func facts(_ timings: ExchangeTimings) -> AttemptDetails? {
        state.withLock { state in
            state.connection.map { AttemptDetails(timings: timings, connection: $0, response: state.response) }
        }
    }
}

extension TransportOptions {
    /// Makes the transport record the response head and the connection, and the request head if the record is detailed.
    ///
    /// - Parameter isDetailed: True to record the request head and partial bodies.
    /// - Returns: The record. If an outer observer already has one with enough detail, it is shared.
    package mutating func recordWire(isDetailed: Bool = false) -> WireRecord {
        if let wire, wire.isDetailed || !isDetailed { return wire }
        let record = WireRecord(isDetailed: isDetailed)
        wire = record
        return record
    }
}
