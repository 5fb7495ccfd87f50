// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
import SimorghSupport

extension RequestDescription {
    /// Returns the upgrade request for a redirect.
    ///
    /// A different origin gets neither credentials nor a client certificate.
    ///
    /// - Parameters:
    ///   - url: The URL of the redirect response, with its query.
    ///   - location: The value of `Location`.
    /// - Returns: The request.
    /// - Throws: ``CommandError`` if the location must not be followed.
    package func redirected(from url: String, to location: String) throws(CommandError) -> RequestDescription {
        let target = WebSocketURL.of(URLReference(location).resolved(against: URLReference(url)).description)
        let (old, new): (BaseURL, BaseURL)
        do {
            old = try BaseURL.absolute(url, schemes: BaseURL.webSocketSchemes).base
            new = try BaseURL.absolute(target, schemes: BaseURL.webSocketSchemes).base
        } catch {
            throw CommandError(
                .redirected, message: "the server redirects to a URL that cannot be followed: \(error.message)")
        }
        guard !new.isUnixSocket || old.scheme == new.scheme && old.host == new.host else {
            throw CommandError(.redirected, message: "the server redirects to a Unix socket of this machine")
        }
        guard !old.isSecure || new.isSecure else {
            throw CommandError(
                .redirected,
                message: "the server redirects from wss to ws, which is not encrypted")
        }
        var request = self
        request.url = target
        // The location includes the whole query.
        request.query = []
        guard old.scheme != new.scheme || old.authority != new.authority else { return request }
        request.credential = nil
        request.netrcFile = nil
        request.oauth = nil
        request.connection.identity = nil
        request.fields.removeAll { field in
            CredentialFields.known.contains(field.name) || Redaction.kind(of: field.name) == .secret
                || ["host", "referer"].contains(field.name.canonicalName)
        }
        return request
    }
}

/// Converts HTTP URLs to WebSocket URLs.
enum WebSocketURL {
    /// Returns a URL with its HTTP scheme replaced by the WebSocket scheme.
    static func of(_ url: String) -> String {
        let scheme = url.prefix { $0 != ":" }
        return switch scheme.lowercased() {
        case "http": "ws" + url.dropFirst(scheme.count)
        case "https": "wss" + url.dropFirst(scheme.count)
        default: url
        }
    }
}
#endif
