// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// `Set-Cookie` fields that a session has joined by commas, which may stand in their dates, too.
package enum SetCookieValues {
    /// Takes them apart: a comma ends a cookie where a name and an equals sign follow it.
    ///
    /// - Parameter joined: The fields.
    /// - Returns: Each of them.
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
