// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCore
import SimorghSupport

extension ReconnectMachine.Ending {
    /// What the failure of an opening says about the next one.
    ///
    /// Whatever the client makes of a refusal, its status and `Retry-After` say what it is.
    ///
    /// - Parameters:
    ///   - error: Why no connection came about.
    ///   - now: The time, for a date in `Retry-After`.
    package init(opening error: NetworkError, now: Date) {
        if let refresh = error.underlyingError as? TokenRefreshFailure {
            // The answer that asked for another token is not what it failed at.
            if let cause = refresh.underlying as? NetworkError {
                self.init(opening: cause, now: now)
            } else {
                self = .failed(mayPass: error.mayPass)
            }
        } else if let response = error.response {
            let wait = response.headers[.retryAfter].flatMap { RetryAfter.delay($0, now: now) }
            self = .refused(status: response.statusCode, retryAfter: wait)
        } else {
            self = .failed(mayPass: error.mayPass)
        }
    }
}
