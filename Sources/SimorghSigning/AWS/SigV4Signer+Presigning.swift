// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore
import SimorghSupport

extension SigV4Signer {
    /// The longest time for which a URL can be signed: seven days.
    public static let maximumExpiration = Duration.seconds(7 * 24 * 3600)

    /// The items that a signature adds to a query, in lowercase.
    private static let signatureItems: Set<String> = [
        "x-amz-algorithm", "x-amz-credential", "x-amz-date", "x-amz-expires", "x-amz-signedheaders",
        "x-amz-security-token", "x-amz-signature",
    ]

    /// Returns a URL with a signature in its query, with which every client may send the request until it expires.
    ///
    /// ```swift
    /// let url = try await signer.presignedURL(
    ///     "https://birds.s3.eu-west-1.amazonaws.com/simorgh.jpg", method: .put, expires: .seconds(900),
    ///     headers: ["Content-Type": "image/jpeg"])
    /// ```
    /// The signature does not cover the body for S3; for other services the body is empty. A signed `Content-Length`
    /// bounds an upload. With temporary credentials the URL also becomes invalid when they expire. Logs and errors of
    /// Simorgh do not show the signature.
    ///
    /// - Parameters:
    ///   - url: The whole URL, without the items of another signature, whose names begin with `X-Amz-`.
    ///   - method: The method of the request.
    ///   - expires: The time for which the URL is valid, from one second to seven days.
    ///   - headers: The header fields that the request must have with exactly these values; all of them are signed.
    ///   - date: The beginning of that time. Default: now.
    /// - Returns: The URL.
    /// - Throws: ``SigningError`` or ``AWSCredentialsError``.
    public func presignedURL(
        _ url: String, method: RequestMethod = .get, expires: Duration, headers: [String: String] = [:],
        at date: Date = Date()
    ) async throws -> String {
        guard expires >= .seconds(1), expires <= Self.maximumExpiration else {
            throw SigningError(.invalidSetting, "a URL can be signed for one second to seven days")
        }
        var request = try Self.request(method, url, headers: headers)
        let values = try await credentials(forDate: date)
        let sigV4 = SigV4(
            values, region: region, service: service, date: SigV4Date(date), usesS3Rules: usesS3Rules)
        let hash = usesS3Rules ? SigV4PayloadPlan.unsigned.hash : SigV4.hash(Data())
        var target = QueryTarget(request.head.path ?? "/")
        // A server may read the first one of two items, and names in any case.
        guard !target.hasAny(of: Self.signatureItems) else {
            throw SigningError(.invalidURL, "the URL has items of a signature already")
        }
        let names = sigV4.signedNames(
            try SigV4Fields.message(of: request.head, payloadHash: hash, signsAllFields: true))
        target.append(name: "X-Amz-Algorithm", value: SigV4.algorithm)
        target.append(name: "X-Amz-Credential", value: sigV4.credential)
        target.append(name: "X-Amz-Date", value: sigV4.date.text)
        target.append(name: "X-Amz-Expires", value: "\(expires.components.seconds)")
        if let token = values.sessionToken { target.append(name: "X-Amz-Security-Token", value: token) }
        target.append(name: "X-Amz-SignedHeaders", value: names)
        request.head.path = target.text
        let message = try SigV4Fields.message(of: request.head, payloadHash: hash, signsAllFields: true)
        return "\(request.urlString)&X-Amz-Signature=\(sigV4.signature(of: message))"
    }
}
