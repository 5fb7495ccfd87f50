// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import Synchronization

/// The head that a transport sends for one attempt, and the head that comes back, noted as it happens for an observer.
///
/// An attempt that nobody observes has none. An attempt that is cancelled in the middle of a body, and so ends without the
/// connection being asked, tells of its head by this.
package final class WireRecord: Sendable {
    /// The head of a request as it was sent.
    package struct SentHead: Sendable {
        /// The pseudo-header fields in their order (RFC 9113, section 8.3.1); empty with HTTP/1.1.
        package let pseudoFields: [(name: String, value: String)]
        /// The fields in their order, those of the transport among them.
        package let fields: HTTPFields
        /// The notes of the steps about the request, such as which of its fields are secret.
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

    /// True if the observer asks for the head of the request, which is made once more for it, and for the part that had
    /// come of a body that broke off.
    package let isDetailed: Bool
    private let state = Mutex(State())

    package init(isDetailed: Bool) { self.isDetailed = isDetailed }

    /// The request goes over a connection; it may have gone over another before.
    package func began(over connection: ConnectionInfo, _ sent: SentHead?) {
        state.withLock { $0 = State(sent: sent, connection: connection) }
    }

    /// The head of the final response has come.
    package func received(_ response: HTTPResponse) { state.withLock { $0.response = response } }

    /// The head of the request as it was sent last; `nil` if it was not, or nobody wanted to know.
    package var sentHead: SentHead? { state.withLock { $0.sent } }

    /// The facts of an attempt that has ended without its connection.
    ///
    /// - Parameter timings: How long it took, as far as that is known.
    /// - Returns: The facts; `nil` if it had no connection.
    package func facts(_ timings: ExchangeTimings) -> AttemptFacts? {
        state.withLock { state in
            state.connection.map { AttemptFacts(timings, $0, response: state.response) }
        }
    }
}

extension TransportOptions {
    /// Has the transport note what it puts on the wire, and gets.
    ///
    /// - Parameter isDetailed: Whether the head of the request is to be known, and a part of a body.
    /// - Returns: Where it is noted: what an observer further out has asked for already, if that is enough.
    package mutating func watchWire(isDetailed: Bool = false) -> WireRecord {
        if let wire, wire.isDetailed || !isDetailed { return wire }
        let record = WireRecord(isDetailed: isDetailed)
        wire = record
        return record
    }
}
