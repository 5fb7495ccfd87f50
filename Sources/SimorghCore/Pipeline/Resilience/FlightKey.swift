// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

/// What two requests have to have in common to share one exchange: every byte of them, and how they are carried.
package struct FlightKey: Hashable, Sendable {
    private let head: HTTPRequest
    private let options: TransportOptions
    /// What one waits for, another may have no need to.
    private let waitsForNetwork: Bool
    /// What the steps above note for each other, and no step below looks at.
    private static let ownKeys: Set = [
        ObjectIdentifier(CredentialFields.self), ObjectIdentifier(SecretQueryItems.self),
        ObjectIdentifier(RedirectTrail.self),
    ]

    /// The key of a request; `nil` for one that is never shared.
    ///
    /// Shared are safe methods without a body, whose answer is collected: a stream can be read by one alone. A request
    /// with values in ``TransportOptions/userInfo`` is not, for steps below may treat it in a way of its own.
    package init?(_ request: TransportRequest) {
        guard RequestMethod(rawValue: request.head.method.rawValue).isSafe, request.body.isEmpty,
            request.options.userInfo.isEmpty(besides: Self.ownKeys), case .collected = request.options.delivery
        else { return nil }
        head = request.head
        options = request.options
        waitsForNetwork = request.options.waitsForNetwork
    }
}
