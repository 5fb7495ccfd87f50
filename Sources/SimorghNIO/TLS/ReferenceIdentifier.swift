// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// The DNS name or IP address that a certificate must be for: a reference identifier of RFC 9525.
///
/// All verifications use this rule, whatever the protocol, the proxy and the platform. It is a pure function, and
/// never looser than RFC 9525, section 6:
///
/// - A name matches a `dNSName` with the same number of labels, each equal except for the case of ASCII letters.
/// - A wildcard is the whole first label, `*`, of a `dNSName` with at least two more labels. It stands for one label,
///   which may be an A-label (`xn--…`). A wildcard in any other position, or in a part of a label, matches nothing.
/// - An address matches only an `iPAddress` with the same bytes; a name never matches an `iPAddress`.
/// - The common name of the subject is ignored.
///
/// An underscore is accepted, as in browsers and curl, because host names in use contain it.
package struct ReferenceIdentifier: Sendable, Hashable {
    /// An entry of a certificate's subject alternative names.
    package enum Presented: Sendable, Hashable {
        /// The bytes of a `dNSName`.
        case dnsName([UInt8])
        /// The bytes of an `iPAddress`.
        case ipAddress([UInt8])
    }

    private enum Kind: Sendable, Hashable {
        case name([[UInt8]])
        case address([UInt8])
        /// A host that is neither; no certificate matches it.
        case none
    }

    private let kind: Kind

    /// Creates a reference identifier from the host of a URL, without the brackets of an IPv6 address.
    ///
    /// - Parameter host: The host. A dot at its end marks an absolute name and is ignored.
    package init(_ host: String) {
        if let address = IPAddress(host) {
            kind = .address(address.bytes)
            return
        }
        var bytes = Array(host.utf8)
        if bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
        let labels = Self.labels(bytes)
        // Resolvers take `127.1` for an address; a certificate for such a name would be for something else.
        guard let last = labels.last, !HostSyntax.looksLikeNumber(last), labels.allSatisfy(Self.isLabel) else {
            kind = .none
            return
        }
        kind = .name(labels)
    }

    /// Returns true if a certificate is for this identifier.
    ///
    /// - Parameter presented: The certificate's subject alternative names.
    /// - Returns: True if one of them matches.
    package func matches(_ presented: some Sequence<Presented>) -> Bool { presented.contains { matches($0) } }

    private func matches(_ presented: Presented) -> Bool {
        switch (kind, presented) {
        case (.name(let own), .dnsName(let bytes)): Self.matches(own, presented: Self.labels(bytes))
        case (.address(let own), .ipAddress(let bytes)): own == bytes
        default: false
        }
    }

    private static func matches(_ own: [[UInt8]], presented: [[UInt8]]) -> Bool {
        guard own.count == presented.count else { return false }
        guard presented.first == [UInt8(ascii: "*")] else {
            return presented.allSatisfy(isLabel) && own == presented
        }
        // Two labels after the wildcard are required: `*.test` would match all names of a top-level domain.
        guard presented.count >= 3 else { return false }
        let rest = presented.dropFirst()
        return rest.allSatisfy(isLabel) && own.dropFirst() == rest
    }

    /// Returns the labels of a name in lower case; a label is empty at adjacent dots, and at a dot at either end.
    private static func labels(_ bytes: [UInt8]) -> [[UInt8]] {
        bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { label in
            label.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        }
    }

    private static func isLabel(_ label: [UInt8]) -> Bool {
        !label.isEmpty && label.count <= 63
            && label.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
