// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport

/// A header field's value that proves who sends a request, and when it ends.
package struct Credential: Sendable, Equatable {
    package let value: String
    package let expiration: Date?

    package init(_ value: String, expiration: Date? = nil) {
        self.value = value
        self.expiration = expiration
    }

    /// Whether its known end has passed.
    package func hasEnded(at now: Date) -> Bool { expiration.map { $0 <= now } ?? false }

    /// A token as a bearer's (RFC 6750).
    package init(bearer token: AccessToken) throws(InvalidRequest) {
        self.init(try HeaderRules.bearer(token.value), expiration: token.expiration)
    }
}

/// What a refresh gave.
package enum Refreshed: Sendable {
    /// The credential to go on with.
    case credential(Credential)
    /// The source of each request has it now: two requests may have two sources.
    case renewed
    /// It failed, and was done ahead of time: the credential is as good as it was, unless it was refused.
    case postponed(any Error)
    /// There is none to get: refused requests stay refused.
    case none
}

/// Where credentials come from, and which answers ask for new ones.
package struct TokenRefresh: Sendable {
    /// The statuses that say that a credential is refused.
    package var statusCodes: Set<Int> = [401]
    /// The field that carries the credential.
    package var field = HTTPField.Name.authorization
    /// How long before its end a credential is replaced.
    package var leeway = Duration.zero
    /// Whether a request with a field of its own is left alone.
    package var keepsOwn = true
    /// What a request is sent with now, given the value of its own field and how long it may wait; `nil` for nothing that
    /// is known here.
    package var choose: @Sendable (_ own: String?, _ limit: WaitLimit?) async throws -> Credential?
    /// Whether a request without a field of its own is given one only at the origin of its client's base URL.
    package var holdsToBase = false
    /// Gets a new credential in the place of one.
    package var refresh: @Sendable (Credential?) async throws -> Refreshed
    /// When a credential may be replaced ahead of time, where that has failed.
    package var pause = RefreshPause()
    /// Told of each credential that was refused and replaced.
    package var forget: @Sendable (Credential?) -> Void = { _ in }

    package init(
        choose: @escaping @Sendable (_ own: String?, _ limit: WaitLimit?) async throws -> Credential?,
        refresh: @escaping @Sendable (Credential?) async throws -> Refreshed
    ) {
        self.choose = choose
        self.refresh = refresh
    }

    /// Whether a credential is to be replaced before it is used.
    package func isEnding(_ credential: Credential?, at now: Date) -> Bool {
        guard let expiration = credential?.expiration else { return false }
        return expiration.addingTimeInterval(-(leeway / .seconds(1))) <= now
    }

    /// Whether a credential is to be replaced now: one that has not ended is left alone for a while where that failed.
    package func isDue(_ credential: Credential?, at now: Date) -> Bool {
        isEnding(credential, at: now) && (credential?.hasEnded(at: now) == true || pause.isOver(at: now))
    }
}
