// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

extension BaseURL {
    /// Returns the target of a request: the base URL's path prefix, the version, the path, and the query.
    ///
    /// The result always begins with exactly one slash, so that no path can name another host. A `?` in the path
    /// begins a query whose text is kept; it goes after the base URL's own query and before the items.
    ///
    /// Plain text is escaped once, including `%` and `#`. Text declared as percent-encoded is kept unchanged (`%2F`
    /// stays `%2F`), without its fragment; it is rejected if it is not properly encoded.
    ///
    /// - Parameters:
    ///   - version: Path segments to insert before the path, as plain text.
    ///   - path: The path, with or without a leading slash; a trailing slash is kept.
    ///   - pathIsPercentEncoded: True if the path is already percent-encoded.
    ///   - items: Names and values to add at the end of the query; escaped by this function.
    /// - Returns: The target, as in the request line.
    /// - Throws: ``InvalidRequestError`` for a complete URL, a `.` or `..` segment in any encoding, or a malformed escape.
    package func target(
        version: String? = nil,
        path: String,
        pathIsPercentEncoded: Bool = false,
        query items: [QueryItem] = []
    ) throws(InvalidRequestError) -> String {
        let text = try ParsedPath(path, isEncoded: pathIsPercentEncoded)
        let (path, written) = (text.path, text.query)
        let version = try Self.trimmed(version)
        let percent: PercentEncoding.Percent = pathIsPercentEncoded ? .kept : .escaped
        let pathCount = text.isPlain ? path.count : PercentEncoding.encodedCount(path, keeping: .path, percent: percent)
        let isAlone = pathPrefix.isEmpty && query == nil && version.isEmpty && written.isEmpty && items.isEmpty
        if isAlone, pathCount == path.count, text.isTarget { return text.whole }
        if isAlone, text.isPlain { return "/" + text.whole }

        // With nothing after the prefix, a slash follows only if the caller wrote one, or if there is no prefix.
        let endsWithPath = !path.isEmpty || text.hasSlash || (pathPrefix.isEmpty && version.isEmpty)
        let endsInSlash = endsWithPath || (endsInSlash && version.isEmpty)
        let versionCount =
            version.isEmpty ? 0 : 1 + PercentEncoding.encodedCount(version, keeping: .path, percent: .escaped)
        let writtenCount = PercentEncoding.encodedCount(written, keeping: .query, percent: .kept)
        let itemsCount = items.encodedCount
        var count = pathPrefix.utf8.count + versionCount + (endsInSlash ? 1 : 0) + pathCount
        for part in [query?.utf8.count ?? 0, writtenCount, itemsCount] where part > 0 { count += 1 + part }

        return String(unsafeUninitializedCapacity: count) { buffer in
            var writer = ByteWriter(buffer)
            writer.append(pathPrefix)
            if !version.isEmpty {
                writer.append(UInt8(ascii: "/"))
                PercentEncoding.write(version, keeping: .path, percent: .escaped, to: &writer)
            }
            if endsInSlash { writer.append(UInt8(ascii: "/")) }
            PercentEncoding.write(path, keeping: .path, percent: percent, to: &writer)
            var separator = UInt8(ascii: "?")
            if let query {
                writer.append(separator)
                writer.append(query)
                separator = UInt8(ascii: "&")
            }
            if !written.isEmpty {
                writer.append(separator)
                PercentEncoding.write(written, keeping: .query, percent: .kept, to: &writer)
                separator = UInt8(ascii: "&")
            }
            if itemsCount > 0 {
                writer.append(separator)
                items.write(to: &writer)
            }
            return writer.count
        }
    }

    private static func trimmed(_ version: String?) throws(InvalidRequestError) -> Substring.UTF8View {
        guard let version else { return "".utf8[...] }
        var segments = version.utf8.drop { $0 == UInt8(ascii: "/") }
        while segments.last == UInt8(ascii: "/") { segments = segments.dropLast() }
        try ParsedPath.rejectDotSegments(in: segments)
        return segments
    }
}
