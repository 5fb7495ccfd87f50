// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// The lines of files that list hosts.
enum HostLines {
    /// Returns the lines of a text, without their ends.
    static func lines(of bytes: [UInt8]) -> [Substring] {
        String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    }

    /// Returns the name of a host in the form of the store, and true if a dot before it includes the hosts below it;
    /// `nil` for an address and for a text that is not a name.
    static func host(_ text: some StringProtocol) -> (name: String, includesSubdomains: Bool)? {
        let hasDot = text.hasPrefix(".")
        return name(String(hasDot ? text.dropFirst() : text[...])).map { ($0, hasDot) }
    }

    /// Returns a name in lowercase and punycode, without a trailing dot; `nil` for an address and an invalid name.
    static func name(_ text: String) -> String? {
        guard var name = HostSyntax.normalized(text) else { return nil }
        if name.hasSuffix(".") { name.removeLast() }
        return name.isEmpty || name.first == "[" || CookieOrigin.isAddress(name) ? nil : name
    }
}

extension Substring {
    /// The text without spaces and tabs around it.
    var trimmed: Substring {
        var text = self
        while let first = text.first, first == " " || first == "\t" || first == "\r" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" || last == "\r" { text.removeLast() }
        return text
    }
}
