// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

extension TransportResponse {
    /// Statuses that say that the request was turned away before anything was done for it.
    package static let turnsAway: Set<Int> = [401, 407, 421, 425]

    /// Whether the request may be sent again after this answer without doing its work twice (RFC 9110, section 9.2.2).
    ///
    /// - Parameters:
    ///   - request: The request, as it was handed on.
    ///   - isTurnedAway: Whether the answer says that nothing was done for the request.
    /// - Returns: Whether it may.
    package func allowsReplay(of request: TransportRequest, isTurnedAway: Bool) -> Bool {
        guard request.body.replayability != .once else { return false }
        let method = request.head.method.rawValue
        if RequestMethod(rawValue: method).isIdempotent || request.head.headerFields.has(.idempotencyKey) {
            return true
        }
        // A redirect that changes the method says that the work is done.
        return isTurnedAway && redirects.allSatisfy { $0.method == method }
    }
}
