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
    private static let ofTheBody: Set<HTTPField.Name> = [
        .contentLength, .contentType, .contentEncoding, .contentLanguage, CacheFields.contentRange,
    ]

    /// Returns the head of the reply, and the range of its body; an empty range for no body.
    ///
    /// - Parameters:
    ///   - stored: The stored response.
    ///   - length: The length of its body.
    /// - Returns: The head and the byte range.
    package func made(of stored: StoredResponse, length: Int64) -> (HTTPResponse, Range<Int64>) {
        var fields = stored.fields
        // Copied once, with capacity for this field and those that the cache adds later.
        fields.reserveCapacity(fields.count + 3)
        let age = HTTPField(name: .age, value: String(age))
        // Without an existing field, no search is needed.
        if stored.facts.hasAge { fields[fields: .age] = [age] } else { fields.append(age) }
        let all = 0..<length
        switch shape {
        case .whole: return (HTTPResponse(status: status(stored.status), headerFields: fields), all)
        case .head: return (HTTPResponse(status: status(stored.status), headerFields: fields), 0..<0)
        case .notModified:
            let kept = HTTPFields(fields.filter { !Self.ofTheBody.contains($0.name) })
            return (HTTPResponse(status: .notModified, headerFields: kept), 0..<0)
        case .part(let range):
            guard let octets = range.resolved(in: length) else {
                var kept = HTTPFields(fields.filter { !Self.ofTheBody.contains($0.name) })
                kept[CacheFields.contentRange] = "bytes */\(length)"
                kept[.contentLength] = "0"
                return (HTTPResponse(status: .rangeNotSatisfiable, headerFields: kept), 0..<0)
            }
            fields[CacheFields.contentRange] = "bytes \(octets.lowerBound)-\(octets.upperBound - 1)/\(length)"
            fields[.contentLength] = String(octets.count)
            return (HTTPResponse(status: .partialContent, headerFields: fields), octets)
        }
    }

    private func status(_ code: Int) -> HTTPResponse.Status { HTTPResponse.Status(code: code) }
}
