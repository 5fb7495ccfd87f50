// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// Functions that identify the host of a URL, for the limits per host and for credentials.
package enum DownloadHost {
    /// Returns the lowercase authority of a URL, without user info and without the default port.
    package static func name(of url: String) -> String {
        // By bytes, as the request is sent: credentials depend on this name.
        let url = URLReference(url)
        guard let scheme = url.scheme, let authority = url.authority else { return "" }
        let name = inASCII((authority.cut(at: "@", keepsEmpty: false).last.map(String.init) ?? "").lowercased())
        let usual = scheme.lowercased() == "https" ? ":443" : ":80"
        return name.hasSuffix(usual) ? String(name.dropLast(usual.count)) : name
    }

    /// Returns an authority with a non-ASCII host in punycode, as requests send it.
    private static func inASCII(_ authority: String) -> String {
        guard authority.utf8.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "%") }) else { return authority }
        let host = authority.utf8.prefix { $0 != UInt8(ascii: ":") }
        let name = String(Substring(host))
        return (HostSyntax.normalized(name) ?? name) + Substring(authority.utf8[host.endIndex...])
    }

    /// Returns the scheme and the authority: the scope of credentials.
    package static func origin(of url: String) -> String {
        "\(url.prefix { $0 != ":" }.lowercased())://\(name(of: url))"
    }

    /// Returns the normalized form of a URL, without its fragment.
    package static func normalized(_ url: String) -> String {
        let parts = URLReference(url)
        guard parts.scheme != nil, parts.authority != nil else { return url }
        let rest = url[parts.path.startIndex..<(parts.query ?? parts.path).endIndex]
        return origin(of: url) + (rest.behind(first: "/") != nil ? "" : "/") + rest
    }

    /// Returns true if a text is a URL that can be fetched; user info is rejected, as the client would.
    package static func isValid(_ url: String) -> Bool {
        let lower = url.prefix(8).lowercased()
        return (lower.hasPrefix("http://") || lower.hasPrefix("https://")) && !name(of: url).isEmpty
            && RedactedURL.withoutCredentials(url) == url
            && url.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }
}
