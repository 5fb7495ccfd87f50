// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

extension TransportResponse {
    /// The statuses of responses that reject a request before processing it.
    package static let rejectedBeforeProcessing: Set<Int> = [401, 407, 421, 425]

    /// Returns true if sending the request again cannot do its work twice (RFC 9110, section 9.2.2).
    ///
    /// - Parameters:
    ///   - request: The request, as it was passed to the next step.
    ///   - wasRejectedBeforeProcessing: True if the response means that the request was not processed.
    /// - Returns: True if the request may be sent again.
    package func allowsReplay(of request: TransportRequest, wasRejectedBeforeProcessing: Bool) -> Bool {
        guard request.body.replayability != .once else { return false }
        let method = request.head.method.rawValue
        if RequestMethod(rawValue: method).isIdempotent || request.isProtectedByKey {
            return true
        }
        // A redirect that changes the method means that the work was done.
        return wasRejectedBeforeProcessing && redirects.allSatisfy { $0.method == method }
    }
}
