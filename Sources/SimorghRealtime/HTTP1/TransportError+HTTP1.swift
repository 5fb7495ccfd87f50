// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

extension TransportError {
    /// Creates the error of a request that is rejected before anything is sent; its cause is an ``InvalidRequestError``.
    package static func invalid(_ reason: InvalidRequestError.Reason, message: String) -> TransportError {
        TransportError(
            reason == .invalidURL ? .badURL : .unknown,
            phase: .total,
            message: message,
            requestMayHaveBeenSent: false,
            underlying: InvalidRequestError(reason, message: message)
        )
    }

    package static func badResponse(_ reason: String, phase: Phase, cause: (any Error)? = nil) -> TransportError {
        TransportError(
            .badServerResponse, phase: phase, message: reason, requestMayHaveBeenSent: true, underlying: cause)
    }

    package static func headTooLarge(_ limit: Int) -> TransportError {
        TransportError(
            .dataLengthExceedsMaximum, phase: .head, message: "the head is larger than the limit of \(limit) bytes",
            requestMayHaveBeenSent: true)
    }

    package static func tooManyFields(_ limit: Int) -> TransportError {
        TransportError(
            .dataLengthExceedsMaximum, phase: .head, message: "the head has more than the limit of \(limit) fields",
            requestMayHaveBeenSent: true)
    }
}
