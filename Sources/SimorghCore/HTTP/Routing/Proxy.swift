// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A proxy server, with its address and credentials.
package struct Proxy: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        case http
        /// HTTP over TLS.
        case https
        /// SOCKS5; the client resolves host names.
        case socks5
        /// SOCKS5; the proxy resolves host names.
        case socks5h
    }

    package let kind: Kind
    /// The name or address, without the brackets of an IPv6 literal.
    package let host: String
    package let port: Int
    /// The bytes of the user name and the password; not necessarily UTF-8.
    package let user: [UInt8]?
    package let password: [UInt8]

    /// Creates a proxy from its URL.
    package init(_ url: String) throws(InvalidRouteError) {
        var rest = url[...]
        var scheme = "http"
        if let mark = url.firstRange(of: "://") {
            scheme = url[..<mark.lowerBound].lowercased()
            rest = url[mark.upperBound...]
        }
        guard let kind = Kind(rawValue: scheme) else {
            throw InvalidRouteError("a proxy is http, https, socks5 or socks5h, not \(scheme.prefix(20))")
        }
        self.kind = kind
        rest = Substring(rest.utf8.prefix { !"/?#".utf8.contains($0) })
        if let at = rest.lastIndex(of: "@") {
            let parts = rest[..<at].cut(at: ":", atMost: 1)
            user = try Self.decoded(parts[0])
            password = parts.count == 2 ? try Self.decoded(parts[1]) : []
            rest = rest[rest.index(after: at)...]
        } else {
            user = nil
            password = []
        }
        let (text, port) = URLReference.hostAndPort(of: rest)
        guard !text.isEmpty, let name = HostSyntax.normalized(String(text)) else {
            throw InvalidRouteError("the proxy has no valid host")
        }
        host = name.hasPrefix("[") ? String(name.dropFirst().dropLast()) : name
        let number = port.map { Int($0) ?? 0 } ?? (kind == .https ? 443 : 1080)
        guard (1...65535).contains(number) else { throw InvalidRouteError("the proxy has no valid port") }
        self.port = number
    }

    /// Decodes a user name or a password once, as curl does: `%2541` becomes the text `%41`.
    ///
    /// A control character is rejected: a proxy that parses the credential may read it as the end of a line or of the
    /// text.
    private static func decoded(_ text: Substring) throws(InvalidRouteError) -> [UInt8] {
        let bytes = PercentEncoding.decoded(Array(text.utf8))
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw InvalidRouteError("the proxy's user name or password contains a control character")
        }
        return bytes
    }

    /// True if the protocol to the proxy is HTTP.
    package var speaksHTTP: Bool { kind == .http || kind == .https }

    /// The value of `Proxy-Authorization`; `nil` without a user name.
    package var authorization: String? {
        user.map { "Basic " + Data($0 + [UInt8(ascii: ":")] + password).base64EncodedString() }
    }
}

extension Proxy: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL without credentials.
    package var description: String {
        "\(kind.rawValue)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    package var debugDescription: String { description }

    package var customMirror: Mirror { Mirror(self, children: ["url": description]) }
}
