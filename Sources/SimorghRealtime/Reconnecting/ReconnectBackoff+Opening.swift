// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCore
import SimorghSupport

extension ReconnectBackoff.Ending {
    /// Creates the ending for an opening that failed.
    ///
    /// The status and `Retry-After` of the response count, whatever error the client makes of a refusal.
    ///
    /// - Parameters:
    ///   - error: The error of the opening.
    ///   - now: The current time, for a date in `Retry-After`.
    package init(opening error: NetworkError, now: Date) {
        if let refresh = error.underlyingError as? TokenRefreshError {
            // The 401 that triggered the token refresh is not the cause of the failure; the refresh itself is.
            if let cause = refresh.underlying as? NetworkError {
                self.init(opening: cause, now: now)
            } else {
                self = .failed(isTransient: error.isTransient)
            }
        } else if let response = error.response {
            let wait = response.headers[.retryAfter].flatMap { RetryAfter.delay($0, now: now) }
            self = .refused(status: response.statusCode, retryAfter: wait)
        } else {
            self = .failed(isTransient: error.isTransient)
        }
    }
}
