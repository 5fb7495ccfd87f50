// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

/// The key of requests that may share one exchange: their heads and transport options are identical.
package struct CoalescingKey: Hashable, Sendable {
    private let head: HTTPRequest
    private let options: TransportOptions
    /// The content of a QUERY, its media type and its coding.
    private let content: Data
    private let contentType: String?
    private let coding: RequestBody.Coding?
    /// True if the request waits for the network; a request that does not wait must not share with one that does.
    private let waitsForNetwork: Bool
    /// Values that only the steps above use.
    private static let ownKeys: Set = [
        ObjectIdentifier(CredentialFields.self), ObjectIdentifier(SecretQueryItems.self),
        ObjectIdentifier(RedirectTrail.self),
    ]

    /// Creates the key of a request; `nil` for a request that is never shared.
    ///
    /// Only safe methods whose response is collected are shared: a stream has a single reader. A body is allowed with
    /// QUERY, if it is in memory. A request with values in ``TransportOptions/userInfo`` is not
    /// shared, since steps below may treat it differently.
    package init?(_ request: TransportRequest) {
        guard RequestMethod(rawValue: request.head.method.rawValue).isSafe, let content = request.queryContent,
            request.options.userInfo.isEmpty(besides: Self.ownKeys), case .collected = request.options.delivery
        else { return nil }
        head = request.head
        options = request.options
        self.content = content
        (contentType, coding) = (request.body.contentType, request.body.coding)
        waitsForNetwork = request.options.waitsForNetwork
    }
}
