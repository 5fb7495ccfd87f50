// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

/// The callbacks of the stop-the-line interceptor, and its limit of repeats.
package struct StopTheLineRules: Sendable {
    package typealias Verify = @Sendable (TransportResponse, TransportRequest) async throws -> StopTheLineAction
    package typealias Act = @Sendable (TransportResponse, TransportRequest) async throws -> StopTheLineResult

    /// The maximum number of times that one request is sent again.
    package let maximumRepeats: Int
    package let verify: Verify
    package let act: Act

    package init(maximumRepeats: Int, verify: @escaping Verify, act: @escaping Act) {
        self.maximumRepeats = maximumRepeats
        self.verify = verify
        self.act = act
    }
}

/// The action's decision for all rejected requests.
package enum StopTheLineDecision: Sendable {
    case keep
    case sendAgain(after: Duration)
}

/// The gate that all requests of a client and its views pass.
package typealias StopTheLineGate = SingleFlight<StopTheLineDecision>
