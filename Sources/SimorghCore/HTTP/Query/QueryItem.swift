// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A name and a value in a query or a form.
///
/// Both are plain text: they are escaped when the request is made.
public struct QueryItem: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The value; with `nil` the equals sign is omitted, too.
    public var value: String?

    /// Creates an item.
    ///
    /// - Parameters:
    ///   - name: The name, as plain text.
    ///   - value: The value, as plain text; with `nil` the equals sign is omitted, too.
    public init(name: String, value: String?) {
        self.name = name
        self.value = value
    }
}

extension [QueryItem] {
    /// The items as a query or a form: `a=1&b=x%20y`.
    ///
    /// All characters except the unreserved ones of RFC 3986 are escaped. A space becomes `%20`, which parsers of
    /// forms and of URLs decode alike, unlike `+`.
    package var encoded: String {
        let count = encodedCount
        return String(unsafeUninitializedCapacity: count) { buffer in
            var writer = ByteWriter(buffer)
            write(to: &writer)
            return writer.count
        }
    }

    /// The length of ``encoded`` in bytes.
    var encodedCount: Int {
        var count = isEmpty ? 0 : count - 1
        for item in self {
            count += PercentEncoding.encodedCount(item.name.utf8[...], keeping: .unreserved, percent: .escaped)
            guard let value = item.value else { continue }
            count += 1 + PercentEncoding.encodedCount(value.utf8[...], keeping: .unreserved, percent: .escaped)
        }
        return count
    }

    func write(to writer: inout ByteWriter) {
        for (index, item) in enumerated() {
            if index > 0 { writer.append(UInt8(ascii: "&")) }
            PercentEncoding.write(item.name.utf8[...], keeping: .unreserved, percent: .escaped, to: &writer)
            guard let value = item.value else { continue }
            writer.append(UInt8(ascii: "="))
            PercentEncoding.write(value.utf8[...], keeping: .unreserved, percent: .escaped, to: &writer)
        }
    }
}
