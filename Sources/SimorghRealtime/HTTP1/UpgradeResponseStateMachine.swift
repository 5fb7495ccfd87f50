// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
package import SimorghCore

/// Decides what the response to an upgrade request means: the server switches protocols, refuses with a response, or
/// violates HTTP.
///
/// A value that takes the events of ``ResponseParser`` and of the connection.
package struct UpgradeResponseStateMachine: Sendable {
    /// The maximum number of bytes that are kept of the body of a response that refuses.
    package static let maximumBodySize = 1024 * 1024

    /// Returns the number of bytes to keep of the body of a response that refuses.
    package static func bodyLimit(_ options: TransportOptions) -> Int {
        guard case .collected(let limit) = options.delivery else { return maximumBodySize }
        return min(max(0, limit), maximumBodySize)
    }

    /// The action after an event.
    package enum Action: Sendable {
        /// Read on.
        case wait
        /// Report an interim response (1xx), and read on.
        case report(HTTPResponse)
        /// The connection speaks the other protocol from the next byte on.
        case switchProtocols
        /// The server refuses: read the body of its response, but no longer than this time.
        case readBody(atMost: Duration)
        /// End with the response of the server, and the received part of its body.
        case refuse
        case fail(TransportError)
    }

    private enum Phase: Sendable {
        case head, body, over
    }

    private var phase = Phase.head
    private var interim = 0

    package init() {}

    /// True until the outcome is known.
    package var isWaiting: Bool { phase != .over }

    /// A head has arrived.
    package mutating func received(_ head: ResponseHead) -> Action {
        guard case .head = phase else { return .wait }
        let status = head.shape.status
        if (100..<200).contains(status), status != 101 {
            interim += 1
            guard interim <= ResponseParser.maximumInterimResponses else {
                return fail(.badResponse("the server sent too many interim responses", phase: .head))
            }
            return .report(head.response)
        }
        guard (100...999).contains(status) else {
            return fail(.badResponse("the status code \(status) is not valid", phase: .head))
        }
        guard status != 101 else {
            phase = .over
            return .switchProtocols
        }
        phase = .body
        // A redirect is followed without its body.
        return .readBody(atMost: RedirectStateMachine.isRedirect(status) ? .milliseconds(50) : .seconds(10))
    }

    /// The body has ended, exceeds its limit, or has taken too long: the status matters more.
    package mutating func bodyEnded() -> Action {
        guard case .body = phase else { return .wait }
        phase = .over
        return .refuse
    }

    /// The bytes are not a valid response.
    package mutating func failed(_ fault: ResponseParser.ParseError) -> Action {
        // The head has already refused the upgrade. An invalid body does not change that.
        switch (phase, fault) {
        case (.over, _): .wait
        case (.body, _): bodyEnded()
        case (.head, .malformed(let reason)): fail(.badResponse(reason, phase: .head))
        case (.head, .headTooLarge(let limit)): fail(.headTooLarge(limit))
        case (.head, .tooManyFields(let limit)): fail(.tooManyFields(limit))
        }
    }

    /// The connection has ended, or a timeout has passed.
    ///
    /// - Parameter error: The error if there is no response.
    /// - Returns: The action.
    package mutating func ended(_ error: TransportError) -> Action {
        switch phase {
        case .over: .wait
        case .body: bodyEnded()
        case .head: fail(error)
        }
    }

    private mutating func fail(_ error: TransportError) -> Action {
        phase = .over
        return .fail(error)
    }
}
