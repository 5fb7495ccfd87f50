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
    ///   - allowsLoopback: False for a URL that another machine has named: it must not make this program, or a browser
    ///     on this machine, send requests to the services of this machine.
    /// - Throws: An error if it is not an HTTP URL, has a user name or a fragment, or is neither `https` nor of this
    ///   machine. The error does not repeat the URL.
    static func check(_ url: String, name: String, allowsLoopback: Bool = true) throws(OAuthError) {
        guard url.utf8.count <= maximumBytes else { throw .insecureURL(name, "it is longer than 4 KiB") }
        // The URL is shown on a terminal, and is an argument of the program that opens the browser.
        guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !forbidden.contains($0) }) else {
            throw .insecureURL(name, "it has a character that a URL must percent-encode")
        }
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
        guard allowsLoopback || !isLoopback(url) else {
            throw .insecureURL(name, "it is of this machine, but another machine has named it")
        }
    }

    /// The characters that no part of a URL can have (RFC 3986, appendix A).
    private static let forbidden = ByteSet("\"<>\\^`{|}")

    /// Returns true if the host of a URL is this machine.
    static func isLoopback(_ url: String) -> Bool {
        guard let host = (try? CookieOrigin(url))?.host else { return false }
        if host == "localhost" || host.hasSuffix(".localhost") { return true }
        guard let address = NumericAddress(host)?.unmapped else { return false }
        return address.isLoopback || address.isUnspecified
    }

    /// Returns a URL with further query items.
    static func url(_ url: String, adding items: [QueryItem]) -> String {
        guard !items.isEmpty else { return url }
        let separator =
            url.utf8.contains(UInt8(ascii: "?")) ? (url.hasSuffix("?") || url.hasSuffix("&") ? "" : "&") : "?"
        return url + separator + items.encoded
    }
}
