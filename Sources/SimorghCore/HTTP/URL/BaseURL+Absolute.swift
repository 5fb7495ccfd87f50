// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

extension BaseURL {
    /// Cuts a complete URL into where it goes and what it asks for there.
    ///
    /// For a call without a base URL. The URL is taken as it is: what may not stand in a path or a query is escaped,
    /// what is escaped already stays, `.` and `..` segments are resolved as RFC 3986, section 5.2.4, and browsers do,
    /// and the fragment is dropped.
    ///
    /// - Parameters:
    ///   - string: The URL.
    ///   - schemes: The schemes that are accepted, in small letters.
    ///   - items: Name and value of what the query ends with; escaped here.
    ///   - percent: The treatment of a `%` that begins no escape.
    /// - Returns: The base, without path and query, and the target.
    /// - Throws: ``InvalidRequest`` as the parse of a base URL does.
    package static func absolute(
        _ string: String, schemes: Set<String> = httpSchemes, query items: [QueryItem] = [],
        percent: PercentEncoding.Percent = .kept
    ) throws(InvalidRequest) -> (base: BaseURL, target: String) {
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
