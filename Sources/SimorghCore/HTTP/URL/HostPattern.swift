// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// One host, or all below a domain.
package struct HostPattern: Sendable, Hashable {
    private enum Kind: Sendable, Hashable {
        case all
        case one
        /// One more label before the domain.
        case child
        /// One or more labels before the domain.
        case below
    }

    private let kind: Kind
    /// In lower case, without a dot at its end or brackets around it.
    private let host: String

    /// Reads a pattern; `nil` for a text that is none.
    ///
    /// - Parameter text: A name or an address, a name behind `*.` or `**.`, or `*`.
    package init?(_ text: String) {
        if text == "*" {
            (kind, host) = (.all, "")
            return
        }
        let name: Substring
        if text.hasPrefix("**.") {
            (kind, name) = (.below, text.dropFirst(3))
        } else if text.hasPrefix("*.") {
            (kind, name) = (.child, text.dropFirst(2))
        } else {
            (kind, name) = (.one, text[...])
        }
        guard !name.isEmpty else { return nil }
        var bare = name.lowercased()
        // An IPv6 address has its brackets in a URL, and none in an origin.
        let bracketed = bare.utf8.contains(UInt8(ascii: ":")) && bare.first != "[" ? "[\(bare)]" : bare
        guard let ascii = HostRules.name(bracketed) else { return nil }
        bare = ascii.first == "[" ? String(ascii.dropFirst().dropLast()) : ascii
        if bare.last == "." { bare.removeLast() }
        host = bare
    }

    /// Whether it names one host only.
    package var isOneHost: Bool { kind == .one }

    /// Whether a host is among those that it names.
    ///
    /// - Parameter host: The host, in lower case, without the brackets of an IPv6 literal.
    /// - Returns: Whether it is.
    package func matches(_ host: String) -> Bool {
        let name = host.hasSuffix(".") ? host.dropLast() : host[...]
        switch kind {
        case .all: return true
        case .one: return name == self.host
        case .child, .below:
            guard name.hasSuffix(self.host) else { return false }
            let before = name.dropLast(self.host.count)
            guard before.last == ".", before.count > 1 else { return false }
            return kind == .below || !before.dropLast().contains(".")
        }
    }
}
