// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// The rules for URLs to which secrets are sent.
enum EndpointURL {
    /// The longest accepted URL, in bytes.
    static let maximumBytes = 4 * 1024

    /// Checks a URL.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - name: The name of the URL, for the error.
    /// - Throws: An error if it is not an HTTP URL, has a user name or a fragment, or is neither `https` nor of this
    ///   machine. The error does not repeat the URL.
    static func check(_ url: String, name: String) throws(OAuthError) {
        guard url.utf8.count <= maximumBytes else { throw .insecureURL(name, "it is longer than 4 KiB") }
        // RFC 6749, sections 3.1 and 3.2.
        guard !url.utf8.contains(UInt8(ascii: "#")) else { throw .insecureURL(name, "it has a fragment") }
        do throws(InvalidRequestError) {
            _ = try BaseURL.absolute(url, schemes: ["http", "https"])
            guard try CookieOrigin(url).isTrustworthy else {
                throw InvalidRequestError(
                    .invalidURL, message: "http would send secrets in clear text; use https, or a loopback address")
            }
        } catch {
            throw .insecureURL(name, error.message)
        }
    }

    /// Returns a URL with further query items.
    static func url(_ url: String, adding items: [QueryItem]) -> String {
        guard !items.isEmpty else { return url }
        let separator =
            url.utf8.contains(UInt8(ascii: "?")) ? (url.hasSuffix("?") || url.hasSuffix("&") ? "" : "&") : "?"
        return url + separator + items.encoded
    }
}
