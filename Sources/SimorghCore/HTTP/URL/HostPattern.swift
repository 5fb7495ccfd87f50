// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A pattern for one host, the hosts below a domain, or all hosts.
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
    /// The host in lowercase, without a trailing dot or brackets.
    private let host: String

    /// Creates a pattern; `nil` if the text is not a pattern.
    ///
    /// - Parameter text: A name or an address, a name after `*.` or `**.`, or `*`.
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
        // An IPv6 address has brackets in a URL, but not in an origin.
        let bracketed = bare.utf8.contains(UInt8(ascii: ":")) && bare.first != "[" ? "[\(bare)]" : bare
        guard let ascii = HostSyntax.normalized(bracketed) else { return nil }
        bare = ascii.first == "[" ? String(ascii.dropFirst().dropLast()) : ascii
        if bare.last == "." { bare.removeLast() }
        host = bare
    }

    /// True if the pattern matches only one host.
    package var isOneHost: Bool { kind == .one }

    /// Returns true if the pattern matches a host.
    ///
    /// - Parameter host: The host, in lowercase, without the brackets of an IPv6 literal.
    /// - Returns: True if it matches.
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
