// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

extension BaseURL {
    /// Splits a complete URL into a base URL and a request target.
    ///
    /// For a call without a base URL. Characters that are not allowed in a path or a query are escaped, existing
    /// escapes stay, `.` and `..` segments are resolved as in RFC 3986, section 5.2.4, and in browsers, and the
    /// fragment is dropped.
    ///
    /// - Parameters:
    ///   - string: The URL.
    ///   - schemes: The accepted schemes, in lowercase.
    ///   - items: Names and values to add at the end of the query; escaped by this function.
    ///   - percent: The treatment of a `%` that does not begin an escape.
    /// - Returns: The base, without path and query, and the target.
    /// - Throws: ``InvalidRequestError``, as the parser of a base URL does.
    package static func absolute(
        _ string: String, schemes: Set<String> = httpSchemes, query items: [QueryItem] = [],
        percent: PercentEncoding.Percent = .kept
    ) throws(InvalidRequestError) -> (base: BaseURL, target: String) {
        let parts = try URLParts(string, schemes: schemes)
        let base = BaseURL(parts, pathPrefix: "", query: nil, endsInSlash: false)
        if items.isEmpty, !parts.path.isEmpty, !DotSegments.areIn(parts.path),
            PercentEncoding.firstIllegal(in: parts.path, keeping: .path) == nil,
            PercentEncoding.firstIllegal(in: parts.pathAndQuery, keeping: .query) == nil
        {
            return (base, String(Substring(parts.pathAndQuery)))
        }
        let path = PercentEncoding.encoded(
            DotSegments.removed(from: parts.path), keeping: .path, percent: percent)
        var target = path.isEmpty ? "/" : path
        if let query = parts.query {
            target += "?"
            target += PercentEncoding.encoded(String(Substring(query)), keeping: .query, percent: percent)
        }
        if !items.isEmpty {
            target += parts.query == nil ? "?" : parts.query?.isEmpty == true ? "" : "&"
            target += items.encoded
        }
        return (base, target)
    }
}
