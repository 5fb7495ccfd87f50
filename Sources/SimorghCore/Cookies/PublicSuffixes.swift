// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The names under which anybody may register one, such as `com`, `co.uk` and `github.io`: no cookie may be set for all that
/// is below them.
package enum PublicSuffixes {
    /// Whether a host is such a name.
    ///
    /// - Parameter host: The host's name in small letters, in its ASCII form.
    /// - Returns: Whether it is one; a name of one label is, listed or not.
    package static func contains(_ host: String) -> Bool { suffixLength(of: host) == host.utf8.count }

    /// The rules as the list writes them.
    package static var rules: [String] {
        list.withUTF8Buffer { list in
            list.split(separator: UInt8(ascii: ",")).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// The name that was registered, such as `example.co.uk` for `www.example.co.uk`: what makes a *site*.
    ///
    /// - Parameter host: The host's name in small letters, in its ASCII form; an address is its own site.
    /// - Returns: The name; the host itself where it is a public suffix or an address.
    package static func registrableName(of host: String) -> String {
        guard !CookieOrigin.isAddress(host) else { return host }
        let bytes = host.utf8
        let rest = bytes.dropLast(suffixLength(of: host))
        guard !rest.isEmpty else { return host }
        // Without the dot before the suffix, what follows the last dot is the label that was registered.
        guard let dot = rest.dropLast().lastIndex(of: UInt8(ascii: ".")) else { return host }
        return String(host[bytes.index(after: dot)...])
    }

    /// How many bytes at the end of a name are its public suffix (https://publicsuffix.org/list/, "Algorithm").
    private static func suffixLength(of host: String) -> Int {
        var host = host
        return host.withUTF8 { host in
            var starts = [0]
            for index in host.indices where host[index] == UInt8(ascii: ".") { starts.append(index + 1) }
            for (index, start) in starts.enumerated() {
                // From the longest candidate to the shortest: the first rule that is met is the one that prevails.
                let candidate = UnsafeBufferPointer(rebasing: host[start...])
                let parent = index + 1 < starts.count ? UnsafeBufferPointer(rebasing: host[starts[index + 1]...]) : nil
                if isListed(UInt8(ascii: "!"), candidate) { return parent?.count ?? 0 }
                if isListed(nil, candidate) { return candidate.count }
                if let parent, isListed(UInt8(ascii: "*"), parent) { return candidate.count }
            }
            return host.count - (starts.last ?? 0)
        }
    }

    /// Whether a rule is in the list: a name, with `!` before it for an exception, or `*` and a dot for a wildcard.
    private static func isListed(_ mark: UInt8?, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        list.withUTF8Buffer { list in
            let comma = UInt8(ascii: ",")
            var (low, high) = (0, list.count)
            while low < high {
                var start = low + (high - low) / 2
                while start > low, list[start - 1] != comma { start -= 1 }
                var end = start
                while list[end] != comma { end += 1 }
                switch order(of: UnsafeBufferPointer(rebasing: list[start..<end]), mark, name) {
                case 0: return true
                case ..<0: low = end + 1
                default: high = start
                }
            }
            return false
        }
    }

    /// Less than zero where a rule stands before the one that is looked for, zero where it is that one.
    private static func order(
        of rule: UnsafeBufferPointer<UInt8>, _ mark: UInt8?, _ name: UnsafeBufferPointer<UInt8>
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
