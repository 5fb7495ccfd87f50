// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

/// What the step of a line asks, and how often it may send a request again.
package struct LineRules: Sendable {
    package typealias Verify = @Sendable (TransportResponse, TransportRequest) async throws -> StopTheLineAction
    package typealias Act = @Sendable (TransportResponse, TransportRequest) async throws -> StopTheLineResult

    /// How often one request is sent again.
    package let maximumRepeats: Int
    package let verify: Verify
    package let act: Act

    package init(maximumRepeats: Int, verify: @escaping Verify, act: @escaping Act) {
        self.maximumRepeats = maximumRepeats
        self.verify = verify
        self.act = act
    }
}

/// What an action decided for all who were refused.
package enum LineVerdict: Sendable {
    case keep
    case sendAgain(after: Duration)
}

/// The gate that all requests of a client and its views go through.
package typealias LineGate = EpochGate<LineVerdict>
