// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// Which host a download counts for.
package enum DownloadHost {
    /// The authority of a URL, in lower case, without a user's name and the port that goes without saying.
    package static func name(of url: String) -> String {
        // By bytes, as it is asked for: credentials go by this name.
        let url = URLReference(url)
        guard let scheme = url.scheme, let authority = url.authority else { return "" }
        let name = inASCII((authority.cut(at: "@", keepsEmpty: false).last.map(String.init) ?? "").lowercased())
        let usual = scheme.lowercased() == "https" ? ":443" : ":80"
        return name.hasSuffix(usual) ? String(name.dropLast(usual.count)) : name
    }

    /// An authority whose host is in punycode where it is outside ASCII, as the requests for it have it.
    private static func inASCII(_ authority: String) -> String {
        guard authority.utf8.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "%") }) else { return authority }
        let host = authority.utf8.prefix { $0 != UInt8(ascii: ":") }
        let name = String(Substring(host))
        return (HostRules.name(name) ?? name) + Substring(authority.utf8[host.endIndex...])
    }

    /// The scheme and the authority: what credentials are for.
    package static func origin(of url: String) -> String {
        "\(url.prefix { $0 != ":" }.lowercased())://\(name(of: url))"
    }

    /// A URL in the one way of the many that it can be written in, without its fragment.
    package static func normalised(_ url: String) -> String {
        let parts = URLReference(url)
        guard parts.scheme != nil, parts.authority != nil else { return url }
        let rest = url[parts.path.startIndex..<(parts.query ?? parts.path).endIndex]
        return origin(of: url) + (rest.behind(first: "/") != nil ? "" : "/") + rest
    }

    /// Whether a text is a URL that can be asked for a file; one with a user's name is refused, as the client would.
    package static func isValid(_ url: String) -> Bool {
        let lower = url.prefix(8).lowercased()
        return (lower.hasPrefix("http://") || lower.hasPrefix("https://")) && !name(of: url).isEmpty
            && ShownURL.withoutCredentials(url) == url
            && url.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }
}
