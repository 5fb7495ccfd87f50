// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport

/// The value of an authentication header field, with its expiration date.
package struct Credential: Sendable, Equatable {
    package let value: String
    package let expiration: Date?

    package init(_ value: String, expiration: Date? = nil) {
        self.value = value
        self.expiration = expiration
    }

    /// Returns true if the credential has a known expiration date that has passed.
    package func hasEnded(at now: Date) -> Bool { expiration.map { $0 <= now } ?? false }

    /// Creates a bearer credential (RFC 6750) from a token.
    package init(bearer token: AccessToken) throws(InvalidRequestError) {
        self.init(try HeaderRules.bearer(token.value), expiration: token.expiration)
    }
}

/// The result of a refresh.
package enum RefreshResult: Sendable {
    /// The new credential.
    case credential(Credential)
    /// Success: each request reads the new credential from its own source, since two requests may have two sources.
    case renewed
    /// A failed early refresh: the old credential remains usable, unless it was rejected.
    case postponed(any Error)
    /// No new credential can be obtained: rejected requests stay rejected.
    case none
}

/// The source of credentials, and the rules for refreshing them.
package struct TokenRefresh: Sendable {
    /// The status codes that mean that a credential was rejected.
    package var statusCodes: Set<Int> = [401]
    /// Returns false if a response with such a status rejects something else of the request than its credential.
    package var isRejection: @Sendable (TransportResponse) -> Bool = { _ in true }
    /// The header field that carries the credential.
    package var field = HTTPField.Name.authorization
    /// The time before its expiration at which a credential is replaced.
    package var leeway = Duration.zero
    /// True if a request that sets the field itself is left unchanged.
    package var keepsOwn = true
    /// Returns the current credential for a request, given the value of its own field and its time limit; `nil` for no
    /// credential.
    package var choose: @Sendable (_ own: String?, _ limit: WaitLimit?) async throws -> Credential?
    /// True if credentials are added only to requests to the origin of their client's base URL.
    package var restrictsToBaseURL = false
    /// Requests a new credential to replace the given one.
    package var refresh: @Sendable (Credential?) async throws -> RefreshResult
    /// The backoff after a failed early refresh.
    package var pause = RefreshBackoff()
    /// Called with each credential that was rejected and replaced.
    package var forget: @Sendable (Credential?) -> Void = { _ in }

    package init(
        choose: @escaping @Sendable (_ own: String?, _ limit: WaitLimit?) async throws -> Credential?,
        refresh: @escaping @Sendable (Credential?) async throws -> RefreshResult
    ) {
        self.choose = choose
        self.refresh = refresh
    }

    /// Returns true if a credential should be replaced before it is used.
    package func isEnding(_ credential: Credential?, at now: Date) -> Bool {
        guard let expiration = credential?.expiration else { return false }
        return expiration.addingTimeInterval(-(leeway / .seconds(1))) <= now
    }

    /// Returns true if a credential should be replaced now: after a failed early refresh, a valid one is kept for a
    /// pause.
    package func isDue(_ credential: Credential?, at now: Date) -> Bool {
        isEnding(credential, at: now) && (credential?.hasEnded(at: now) == true || pause.isOver(at: now))
    }
}
