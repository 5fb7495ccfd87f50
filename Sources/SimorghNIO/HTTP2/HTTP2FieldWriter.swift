// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import NIOCore
import NIOHPACK
import SimorghCore

/// Writes the fields of requests, compressed, with the table that a connection has for it.
///
/// What a server says that it accepts (RFC 9113, section 6.5.2) is kept to, though it is only advice: a list that is larger
/// would be refused, be it by a whole round trip later, and who is told why here can mend it. What goes out before the
/// server has said so goes out.
package struct HTTP2FieldWriter {
    /// The most of the peer's memory that we use for the table.
    private static let largestTable = 4096

    /// The largest list of fields that the peer accepts; `nil` for any.
    var limit: Int? {
        didSet { if limit != oldValue { last = nil } }
    }
    private var encoder = HPACKEncoder(allocator: ByteBufferAllocator())
    /// A request whose fields are all in the table, and so go out as the same bytes as long as nothing is added to it.
    private var last: Sent?

    package init() {}

    /// The peer says how large the table may be.
    mutating func resize(to size: Int) throws {
        last = nil
        try encoder.setDynamicTableSize(min(size, Self.largestTable))
    }

    /// The head of a request; what it holds was checked when it was planned.
    ///
    /// - Parameter plan: The request.
    /// - Returns: The block of fields.
    /// - Throws: `RequestFieldsTooLarge` or `InvalidRequest`, which leave the table as it is, or what the table of fields
    ///   says when it cannot be used.
    package mutating func write(_ plan: RequestPlan) throws -> ByteBuffer {
        if let last, last.isSame(as: plan) { return last.block }
        let fields = try Self.fields(of: plan)
        try check(fields)
        var block = ByteBufferAllocator().buffer(capacity: 256)
        try encoder.encode(headers: fields, to: &block)
        // Each byte a field that stands in the table (RFC 7541, section 6.1).
        let isKnown = block.readableBytesView.allSatisfy { $0 > 0x80 && $0 < 0xFF }
        // A cookie that was left out is in the plan, and not in the block.
        last = isKnown && plan.fields.allSatisfy { $0.isText } ? Sent(plan, block) : nil
        return block
    }

    /// The fields of a request in their order, the pseudo-header fields first.
    ///
    /// NIOHPACK takes text alone, so cookies that are not UTF-8 are left out.
    ///
    /// - Parameter plan: The request.
    /// - Returns: The fields.
    /// - Throws: `InvalidRequest` for another field whose value is not UTF-8.
    static func fields(of plan: RequestPlan) throws(InvalidRequest) -> HPACKHeaders {
        var fields = HPACKHeaders()
        fields.reserveCapacity(plan.fields.count + 8)
        fields.add(name: ":method", value: plan.method.rawValue)
        fields.add(name: ":scheme", value: plan.origin.isSecure ? "https" : "http")
        fields.add(name: ":authority", value: plan.host)
        let path = plan.path
        fields.add(name: ":path", value: path.isEmpty ? "/" : path, indexing: indexing(ofPath: path))
        for field in plan.fields {
            let name = field.name.canonicalName
            guard !EngineField.isDropped(name), let text = try field.asText() else { continue }
            fields.add(name: name, value: text.value, indexing: indexing(of: name, text))
        }
        if plan.continueTimeout != nil { fields.add(name: "expect", value: "100-continue") }
        if plan.decompresses { fields.add(name: "accept-encoding", value: KnownCoding.accepted) }
        if let priority = plan.addedPriority { fields.add(name: "priority", value: priority.description) }
        if let type = plan.addedContentType {
            fields.add(name: "content-type", value: type, indexing: indexing(ofText: type))
        }
        if let trailers = plan.request.body.trailers {
            fields.add(name: "trailer", value: trailers.announcement)
        }
        if let length = plan.announcedLength {
            fields.add(name: "content-length", value: String(length), indexing: .nonIndexable)
        }
        return fields
    }

    /// The fields behind a body, which were checked when they were made.
    mutating func write(trailers: HTTPFields) throws -> ByteBuffer {
        last = nil
        var fields = HPACKHeaders()
        for field in try trailers.asText() {
            fields.add(name: field.name.canonicalName, value: field.value, indexing: .nonIndexable)
        }
        try check(fields)
        var block = ByteBufferAllocator().buffer(capacity: 256)
        try encoder.encode(headers: fields, to: &block)
        return block
    }

    private func check(_ fields: HPACKHeaders) throws {
        guard let limit else { return }
        // What a list counts for a field, besides its text.
        let size = fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }
        if size > limit { throw RequestFieldsTooLarge(size: size, limit: limit) }
    }

    /// A path with a query differs from call to call, and may hold a secret.
    private static func indexing(ofPath path: String) -> HPACKIndexing {
        path.utf8.count > 64 || path.utf8.contains(UInt8(ascii: "?")) ? .nonIndexable : .indexable
    }

    /// What is secret is kept out of the table, where its parts could be guessed at (RFC 7541, section 7.1).
    private static func indexing(of name: String, _ field: HTTPField) -> HPACKIndexing {
        switch name {
        case "authorization", "proxy-authorization", "cookie": return .neverIndexed
        default:
            let isSecret = field.indexingStrategy == .avoid || field.indexingStrategy == .disallow
            return isSecret ? .neverIndexed : indexing(ofText: field.value)
        }
    }

    /// What is not ASCII is kept out of the table, which takes texts for the same that look the same in other bytes.
    private static func indexing(ofText text: String) -> HPACKIndexing {
        text.isASCII ? .indexable : .nonIndexable
    }
}

extension HTTP2FieldWriter {
    /// What of a request decides its block of fields, and the block.
    ///
    /// Not the request: that holds its body, its keys and whoever waits for it, and the connection may live long.
    private final class Sent {
        private let method: HTTPRequest.Method
        private let isSecure: Bool
        private let host: String
        private let path: String
        private let fields: HTTPFields
        private let expectsContinue: Bool
        private let decompresses: Bool
        private let priority: StaticString?
        private let contentType: String?
        let block: ByteBuffer

        /// Of a request without trailers, and without a length, which is never in the table.
        init?(_ plan: RequestPlan, _ block: ByteBuffer) {
            guard Self.mayBeRepeated(plan) else { return nil }
            method = plan.method
            isSecure = plan.origin.isSecure
            host = plan.host
            path = plan.path
            fields = plan.fields
            expectsContinue = plan.continueTimeout != nil
            decompresses = plan.decompresses
            priority = plan.addedPriority
            contentType = plan.addedContentType
            self.block = block
        }

        private static func mayBeRepeated(_ plan: RequestPlan) -> Bool {
            plan.request.body.trailers == nil && plan.announcedLength == nil
        }

        /// Whether a request has the same fields, in the same order.
        func isSame(as plan: RequestPlan) -> Bool {
            Self.mayBeRepeated(plan) && decompresses == plan.decompresses
                && Self.isSame(contentType, plan.addedContentType)
                && Self.isSame(priority, plan.addedPriority) && expectsContinue == (plan.continueTimeout != nil)
                && method == plan.method && path == plan.path && host == plan.host
                && isSecure == plan.origin.isSecure && fields.count == plan.fields.count
                && fields.indices.allSatisfy { index in
                    let (field, other) = (fields[index], plan.fields[index])
                    return field.name == other.name && Self.isSame(field.value, other.value)
                        && field.indexingStrategy == other.indexingStrategy
                }
        }

        /// Whether two texts are the same bytes, one of which is ASCII: what only looks like that is longer.
        private static func isSame(_ one: String?, _ other: String?) -> Bool {
            one?.utf8.count == other?.utf8.count && one == other
        }

        private static func isSame(_ one: StaticString?, _ other: StaticString?) -> Bool {
            guard let one, let other else { return (one == nil) == (other == nil) }
            return one.description == other.description
        }
    }
}
