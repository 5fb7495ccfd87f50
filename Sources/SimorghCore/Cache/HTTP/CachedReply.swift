// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// A reply from a stored response.
package struct CachedReply: Sendable, Equatable {
    /// The part of the stored response that the caller gets.
    package enum Shape: Sendable, Equatable {
        /// The complete response.
        case whole
        /// The head, in response to a HEAD.
        case head
        /// A 304: the caller has the response already.
        case notModified
        /// A part of the body.
        case part(CacheRange)
    }

    /// The index of the stored response.
    package var index: Int
    package var shape: Shape
    /// The age in seconds.
    package let age: Int64
    package var report: CacheReport
    /// The request to send in the background to refresh the stored response; `nil` for none.
    package var refresh: ForwardedRequest?

    package init(index: Int, shape: Shape, age: Int64, report: CacheReport) {
        self.index = index
        self.shape = shape
        self.age = age
        self.report = report
    }

    /// Fields that describe a body, which a response without a body must not have.
    private static let bodyFields: Set<HTTPField.Name> = [
        .contentLength, .contentType, .contentEncoding, .contentLanguage, CacheFields.contentRange,
    ]

    /// Returns the head of the reply, with `Age` and `Cache-Status`, and the range of its body; empty for no body.
    ///
    /// - Parameters:
    ///   - stored: The stored response.
    ///   - length: The length of its body.
    /// - Returns: The head and the byte range.
    package func headAndRange(of stored: StoredResponse, length: Int64) -> (HTTPResponse, Range<Int64>) {
        switch shape {
        case .whole: return (stored.head(of: self), 0..<length)
        case .head: return (stored.head(of: self), 0..<0)
        case .notModified:
            let kept = fields(of: stored).filter { !Self.bodyFields.contains($0.name) }
            return (HTTPResponse(status: .notModified, headerFields: HTTPFields(kept)), 0..<0)
        case .part(let range):
            var fields = fields(of: stored)
            guard let octets = range.resolved(in: length) else {
                var kept = HTTPFields(fields.filter { !Self.bodyFields.contains($0.name) })
                kept[CacheFields.contentRange] = "bytes */\(length)"
                kept[.contentLength] = "0"
                return (HTTPResponse(status: .rangeNotSatisfiable, headerFields: kept), 0..<0)
            }
            fields[CacheFields.contentRange] = "bytes \(octets.lowerBound)-\(octets.upperBound - 1)/\(length)"
            fields[.contentLength] = String(octets.count)
            return (HTTPResponse(status: .partialContent, headerFields: fields), octets)
        }
    }

    /// Returns the stored header fields with `Age` and `Cache-Status`.
    func fields(of stored: StoredResponse) -> HTTPFields {
        var fields = stored.fields
        let added = [HTTPField(name: .age, value: String(age)), report.field]
        if stored.facts.hasAge {
            fields[fields: .age] = [added[0]]
            fields.append(added[1])
        } else {
            // In one step, which copies the fields once and searches for none.
            fields.append(contentsOf: added)
        }
        return fields
    }
}
