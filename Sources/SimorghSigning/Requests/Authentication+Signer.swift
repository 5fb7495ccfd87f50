// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore
import SimorghSupport

extension Authentication {
    /// Authenticates each request with a signature of its own.
    ///
    /// Requests are signed only if they go to the origin of the client's base URL, or to any origin if the client has
    /// none. A redirect to another origin is not signed: the server would decide what the program signs. With
    /// ``/SimorghCore/Authentication/limited(to:)`` it is signed anew, if it and all redirects before it lead from a
    /// listed origin to a listed origin.
    ///
    /// Requests are signed after all waits, such as that of a ``/SimorghCore/RateLimit``. The second request after a
    /// rejection does not wait for the limit again.
    ///
    /// - Parameter signer: The signer.
    /// - Returns: The authentication.
    public static func signed(by signer: some RequestSigner) -> Authentication {
        Authentication("signature", isPerAttempt: true, isSignature: true) { .signed(by: signer) }
    }
}

extension Interceptor {
    /// Returns a step that signs each attempt, and once more if the signer can react to a rejection.
    fileprivate static func signed(by signer: some RequestSigner) -> Interceptor {
        Interceptor { request, next in
            let time = request.options.call?.time ?? .system
            let signed = try await signer.signed(request, at: time.now)
            let response = try await next(signed)
            guard SignatureRejection.statusCodes.contains(response.head.status.code),
                response.isFromOrigin(of: request.head),
                // A server verifies the signature before it processes a request; the signer knows whether that was the
                // reason.
                response.allowsReplay(of: request, wasRejectedBeforeProcessing: true)
            else { return response }
            let other: TransportRequest?
            do {
                other = try await signer.signedAgain(
                    request, after: SignatureRejection(response, to: signed), at: time.now)
            } catch  where !error.isCancellation {
                // The server has responded: the caller needs its reason, not that of a signature that was not made.
                return response
            }
            guard let other else { return response }
            var first = await response.buffered(time, upTo: request.options.bufferingLimit)
            var second = try await next(other)
            second.attempts += first.attempts
            // An error such as 429 or 503 may come from a server that did not verify the signature.
            if (200..<400).contains(second.head.status.code) { signer.accepted(other) }
            // The server did not know the second signature, but it knew the first one.
            guard second.head.status == .unauthorized, first.head.status != .unauthorized else { return second }
            await second.finish(time)
            first.attempts = second.attempts
            return first
        }
    }
}
