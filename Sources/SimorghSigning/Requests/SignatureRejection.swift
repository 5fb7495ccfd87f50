// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
public import SimorghSupport

/// The response of a server that may have rejected a signature.
public struct SignatureRejection: Sendable {
    /// The head of the rejected request, with its signature.
    ///
    /// Compare with it, and not with the state of the signer, which other requests may have changed in the meantime.
    public let signedHead: HTTPRequest
    /// The status code: 400, 401 or 403.
    public let statusCode: Int
    /// The header fields of the response.
    public let headerFields: HTTPFields
    /// The beginning of the body, at most 64 KiB; empty if the body was not collected.
    public let body: Data
    /// True if the response arrived over TLS, or from this machine, so that no other machine could have changed it.
    public let isTrustworthy: Bool

    /// The status codes that may mean a rejected signature.
    static let statusCodes: Set<Int> = [400, 401, 403]
    private static let maximumBodyBytes = 64 * 1024

    init(_ response: TransportResponse, to request: TransportRequest) {
        signedHead = request.head
        statusCode = response.head.status.code
        headerFields = response.head.headerFields
        body = Data((response.body.collectedBytes ?? Data()).prefix(Self.maximumBodyBytes))
        isTrustworthy = (try? CookieOrigin(request))?.isTrustworthy ?? false
    }
}
