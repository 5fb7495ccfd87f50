// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// How a connection ended, or did not come about.
package struct HubLoss: Sendable {
    /// Why, as subscribers hear of it.
    package var error: SubscriptionError
    /// What the protocol says about it; `nil` leaves it to the policy.
    package var verdict: SubscriptionVerdict?
    /// What the policy judges.
    package var ending: ReconnectMachine.Ending

    package init(
        _ error: SubscriptionError, verdict: SubscriptionVerdict? = nil, ending: ReconnectMachine.Ending? = nil
    ) {
        self.error = error
        self.verdict = verdict
        self.ending = ending ?? error.closure.map { .closed($0.code) } ?? .failed(mayPass: true)
    }

    /// The loss for a connection that did not come about.
    package init(dialing error: any Error, now: Date) {
        guard let error = error as? NetworkError else {
            let failure = SubscriptionError(.connectionFailed, causedBy: error, "no connection came about")
            self.init(failure, verdict: .giveUp)
            return
        }
        let ending: ReconnectMachine.Ending
        if case .customError(let status, let response) = error {
            ending = .refused(
                status: status, retryAfter: response.headers[.retryAfter].flatMap { RetryAfter.delay($0, now: now) })
        } else {
            ending = .failed(mayPass: error.isRetryable)
        }
        let code: SubscriptionError.Code =
            if case .invalidRequest = error { .invalidRequest } else { .connectionFailed }
        self.init(SubscriptionError(code, "\(error)", underlying: error), ending: ending)
    }
}
