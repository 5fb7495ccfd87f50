// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// An answer that is made of a stored response.
package struct CacheReply: Sendable, Equatable {
    /// What of it the caller gets.
    package enum Shape: Sendable, Equatable {
        /// All of it.
        case whole
        /// Its head, to a HEAD.
        case head
        /// That the caller has it already.
        case notModified
        /// A part of its body.
        case part(CacheRange)
    }

    /// Which of the stored responses it is.
    package var index: Int
    package var shape: Shape
    /// Its age in seconds.
    package let age: Int64
    package var report: CacheReport
    /// What is sent in the background, so that the next request gets something fresh; `nil` for nothing.
    package var refresh: CacheForward?

    package init(index: Int, shape: Shape, age: Int64, report: CacheReport) {
        self.index = index
        self.shape = shape
        self.age = age
        self.report = report
    }

    /// Fields that describe a body, and stand in no answer without one.
    private static let ofTheBody: Set<HTTPField.Name> = [
        .contentLength, .contentType, .contentEncoding, .contentLanguage, CacheFields.contentRange,
    ]

    /// The head of the answer, and the octets of the body that belong to it; an empty range for none.
    ///
    /// - Parameters:
    ///   - stored: The stored response.
    ///   - length: The length of its body.
    /// - Returns: The head, and the octets.
    package func made(of stored: StoredResponse, length: Int64) -> (HTTPResponse, Range<Int64>) {
        var fields = stored.fields
        // Copied once, with room for these and for what the cache says of itself.
        fields.reserveCapacity(fields.count + 3)
        let age = HTTPField(name: .age, value: String(age))
        // If there is none yet, no search is needed.
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
