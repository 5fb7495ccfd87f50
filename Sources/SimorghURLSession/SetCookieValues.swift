// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Splits `Set-Cookie` fields that a session has joined with commas; their dates may contain commas, too.
package enum SetCookieValues {
    /// Splits the fields: a comma ends a cookie if a name and an equals sign follow it.
    ///
    /// - Parameter joined: The joined fields.
    /// - Returns: The separate fields.
    package static func split(_ joined: String) -> [String] {
        var values: [String] = []
        var begin = joined.startIndex
        var index = joined.startIndex
        while let comma = joined[index...].firstIndex(of: ",") {
            let rest = joined[joined.index(after: comma)...].drop { $0 == " " }
            let name = rest.prefix { $0 != "=" && $0 != ";" && $0 != "," && $0 != " " }
            index = joined.index(after: comma)
            guard !name.isEmpty, rest[name.endIndex...].first == "=" else { continue }
            values.append(String(joined[begin..<comma]))
            begin = rest.startIndex
        }
        values.append(String(joined[begin...]))
        return values
    }
}
