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
    /// ``/SimorghCore/Authentication/limited(to:)`` it is signed anew, if it leads to a listed origin.
    ///
    /// - Parameter signer: The signer.
    /// - Returns: The authentication.
    public static func signed(by signer: some RequestSigner) -> Authentication {
        Authentication("signature", isPerAttempt: true, renewsForListedOrigins: true) { .signed(by: signer) }
    }
}

extension Interceptor {
    /// Returns a step that signs each attempt, and once more if the signer can react to a rejection.
    fileprivate static func signed(by signer: some RequestSigner) -> Interceptor {
        Interceptor { request, next in
            let time = request.options.call?.time ?? .system
            let response = try await next(try await signer.signed(request, at: time.now))
            guard SignatureRejection.statusCodes.contains(response.head.status.code),
                response.isFromOrigin(of: request.head),
                // A server verifies the signature before it processes a request.
                response.allowsReplay(of: request, wasRejectedBeforeProcessing: true),
                let other = try await signer.signedAgain(
                    request, after: SignatureRejection(response, to: request), at: time.now)
            else { return response }
            await response.finish(time)
            var second = try await next(other)
            second.attempts += 1
            return second
        }
    }
}
