// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore

extension HTTPResponse {
    /// Creates a response head from a session's response, whose fields of one name are joined and in no order.
    init?(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse, (100...999).contains(response.statusCode) else { return nil }
        self.init(status: Status(code: response.statusCode))
        let fields = response.allHeaderFields.compactMap { name, value -> (String, String)? in
            guard let name = name as? String else { return nil }
            return (name, value as? String ?? "\(value)")
        }
        for (name, value) in fields.sorted(by: { $0.0 < $1.0 }) {
            guard let name = HTTPField.Name(name) else { continue }
            let values = name == .setCookie ? SetCookieValues.split(value) : [value]
            for value in values { headerFields.append(HTTPField(name: name, value: value)) }
        }
    }

    /// Removes the fields that no longer apply to a body that the session has decoded.
    mutating func forgetCoding() {
        headerFields[.contentEncoding] = nil
        headerFields[.contentLength] = nil
    }
}

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
