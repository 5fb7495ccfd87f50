// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The public suffixes, under which anyone may register a name, such as `com`, `co.uk` and `github.io`.
///
/// No cookie may be set for all names below a public suffix.
package enum PublicSuffixes {
    /// Returns true if a host is a public suffix.
    ///
    /// - Parameter host: The host name in lowercase, in its ASCII form.
    /// - Returns: True if it is a public suffix; a name with a single label always is, even if it is not listed.
    package static func contains(_ host: String) -> Bool { suffixLength(of: host) == host.utf8.count }

    /// The rules as written in the list.
    package static var rules: [String] {
        list.withUTF8Buffer { list in
            list.split(separator: UInt8(ascii: ",")).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Returns the registrable domain, such as `example.co.uk` for `www.example.co.uk`, which identifies a *site*.
    ///
    /// - Parameter host: The host name in lowercase, in its ASCII form; an address is its own site.
    /// - Returns: The domain; the host itself if it is a public suffix or an address.
    package static func registrableName(of host: String) -> String {
        guard !CookieOrigin.isAddress(host) else { return host }
        let bytes = host.utf8
        let rest = bytes.dropLast(suffixLength(of: host))
        guard !rest.isEmpty else { return host }
        // After the dot before the suffix is removed, the part after the last dot is the registered label.
        guard let dot = rest.dropLast().lastIndex(of: UInt8(ascii: ".")) else { return host }
        return String(host[bytes.index(after: dot)...])
    }

    /// Returns the length in bytes of a name's public suffix (https://publicsuffix.org/list/, "Algorithm").
    private static func suffixLength(of host: String) -> Int {
        var host = host
        return host.withUTF8 { host in
            var starts = [0]
            for index in host.indices where host[index] == UInt8(ascii: ".") { starts.append(index + 1) }
            for (index, start) in starts.enumerated() {
                // From the longest candidate to the shortest: the first match prevails.
                let candidate = UnsafeBufferPointer(rebasing: host[start...])
                let parent = index + 1 < starts.count ? UnsafeBufferPointer(rebasing: host[starts[index + 1]...]) : nil
                if isListed(mark: UInt8(ascii: "!"), name: candidate) { return parent?.count ?? 0 }
                if isListed(mark: nil, name: candidate) { return candidate.count }
                if let parent, isListed(mark: UInt8(ascii: "*"), name: parent) { return candidate.count }
            }
            return host.count - (starts.last ?? 0)
        }
    }

    /// Returns true if the list has a rule: a name, after `!` for an exception, or after `*.` for a wildcard.
    private static func isListed(mark: UInt8?, name: UnsafeBufferPointer<UInt8>) -> Bool {
        list.withUTF8Buffer { list in
            let comma = UInt8(ascii: ",")
            var (low, high) = (0, list.count)
            while low < high {
                var start = low + (high - low) / 2
                while start > low, list[start - 1] != comma { start -= 1 }
                var end = start
                while list[end] != comma { end += 1 }
                switch order(of: UnsafeBufferPointer(rebasing: list[start..<end]), mark: mark, name: name) {
                case 0: return true
                case ..<0: low = end + 1
                default: high = start
                }
            }
            return false
        }
    }

    /// Compares a rule with the wanted one; less than zero if it is before the wanted one in the list, zero if equal.
    private static func order(
        of rule: UnsafeBufferPointer<UInt8>, mark: UInt8?, name: UnsafeBufferPointer<UInt8>
    ) -> Int {
        let prefix = mark == nil ? 0 : mark == UInt8(ascii: "*") ? 2 : 1
        let count = prefix + name.count
        for index in 0..<min(rule.count, count) {
            let wanted =
                index >= prefix ? name[index - prefix] : index == 0 ? mark ?? 0 : UInt8(ascii: ".")
            if rule[index] != wanted { return Int(rule[index]) - Int(wanted) }
        }
        return rule.count - count
    }
}
