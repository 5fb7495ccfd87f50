// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import NIOCore
import NIOHPACK
import SimorghCore
import SimorghRealtime

/// Encodes the header fields of requests (HPACK) with the connection's dynamic table.
///
/// The peer's SETTINGS_MAX_HEADER_LIST_SIZE (RFC 9113, section 6.5.2) is enforced although it is advisory: the server
/// would refuse a larger list a round trip later, and the local error says what is wrong. Requests that go out before
/// the server's SETTINGS have arrived are not limited.
package struct HTTP2FieldWriter {
    /// The largest dynamic table to use, in bytes, even if the peer allows more.
    private static let maximumTableSize = 4096

    /// The largest field list that the peer accepts, in bytes; `nil` if it is unlimited.
    var limit: Int? {
        didSet { if limit != oldValue { lastIndexed = nil } }
    }
    private var encoder = HPACKEncoder(allocator: ByteBufferAllocator())
    /// The last request whose fields are all in the table.
    ///
    /// Its block stays the same until the table changes.
    private var lastIndexed: CachedBlock?

    package init() {}

    /// Applies the table size that the peer allows.
    mutating func resize(to size: Int) throws {
        lastIndexed = nil
        try encoder.setDynamicTableSize(min(size, Self.maximumTableSize))
    }

    /// Returns the field block of a request's head, whose fields were validated when it was planned.
    ///
    /// - Parameter plan: The request.
    /// - Returns: The field block.
    /// - Throws: `RequestFieldsTooLargeError` or `InvalidRequestError`, which leave the table unchanged, or the encoder's error
    ///   if the table cannot be used.
    package mutating func write(_ plan: RequestPlan) throws -> ByteBuffer {
        if let lastIndexed, lastIndexed.isSame(as: plan) { return lastIndexed.block }
        let fields = try Self.fields(of: plan)
        try check(fields)
        var block = ByteBufferAllocator().buffer(capacity: 256)
        try encoder.encode(headers: fields, to: &block)
        // Each byte is an indexed field (RFC 7541, section 6.1).
        let isKnown = block.readableBytesView.allSatisfy { $0 > 0x80 && $0 < 0xFF }
        // Not remembered if a non-UTF-8 cookie was left out: the plan would match, but the block lacks it.
        lastIndexed = isKnown && plan.fields.allSatisfy { $0.isText } ? CachedBlock(plan, block: block) : nil
        return block
    }

    /// Returns the fields of a request in their order, pseudo-header fields first.
    ///
    /// NIOHPACK accepts only UTF-8 text, so cookies that are not UTF-8 are left out.
    ///
    /// - Parameter plan: The request.
    /// - Returns: The fields.
    /// - Throws: `InvalidRequestError` for any other field whose value is not UTF-8.
    static func fields(of plan: RequestPlan) throws(InvalidRequestError) -> HPACKHeaders {
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

    /// Returns the field block of trailers, which were validated when they were created.
    mutating func write(trailers: HTTPFields) throws -> ByteBuffer {
        lastIndexed = nil
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
        // The overhead of each field in the list's size (RFC 9113, section 6.5.2).
        let size = fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }
        if size > limit { throw RequestFieldsTooLargeError(size: size, limit: limit) }
    }

    /// Returns the indexing of a path.
    ///
    /// A path with a query differs from call to call and may hold a secret.
    private static func indexing(ofPath path: String) -> HPACKIndexing {
        path.utf8.count > 64 || path.utf8.contains(UInt8(ascii: "?")) ? .nonIndexable : .indexable
    }

    /// Returns the indexing of a field.
    ///
    /// Secrets stay out of the table, where they could be guessed (RFC 7541, section 7.1).
    private static func indexing(of name: String, _ field: HTTPField) -> HPACKIndexing {
        switch name {
        case "authorization", "proxy-authorization", "cookie": return .neverIndexed
        default:
            let isSecret = field.indexingStrategy == .avoid || field.indexingStrategy == .disallow
            return isSecret ? .neverIndexed : indexing(ofText: field.value)
        }
    }

    /// Returns the indexing of a text.
    ///
    /// Non-ASCII text stays out of the table, which compares strings by Unicode canonical equivalence, not by bytes.
    private static func indexing(ofText text: String) -> HPACKIndexing {
        text.isASCII ? .indexable : .nonIndexable
    }
}

extension HTTP2FieldWriter {
    /// The parts of a request that determine its field block, and the block.
    ///
    /// It does not hold the request, which retains its body, its keys and its caller: the connection may live long.
    private final class CachedBlock {
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

        /// Creates an entry for a request without trailers and without a length, which is never in the table.
        init?(_ plan: RequestPlan, block: ByteBuffer) {
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

        /// Returns true if a request has the same fields in the same order.
        func isSame(as plan: RequestPlan) -> Bool {
            Self.mayBeRepeated(plan) && decompresses == plan.decompresses
                && Self.isSame(contentType, as: plan.addedContentType)
                && Self.isSame(priority, as: plan.addedPriority) && expectsContinue == (plan.continueTimeout != nil)
                && method == plan.method && path == plan.path && host == plan.host
                && isSecure == plan.origin.isSecure && fields.count == plan.fields.count
                && fields.indices.allSatisfy { index in
                    let (field, other) = (fields[index], plan.fields[index])
                    return field.name == other.name && Self.isSame(field.value, as: other.value)
                        && field.indexingStrategy == other.indexingStrategy
                }
        }

        /// Returns true if two texts are the same bytes, given that one is ASCII: canonically equal non-ASCII text is
        /// longer.
        private static func isSame(_ one: String?, as other: String?) -> Bool {
            one?.utf8.count == other?.utf8.count && one == other
        }

        private static func isSame(_ one: StaticString?, as other: StaticString?) -> Bool {
            guard let one, let other else { return (one == nil) == (other == nil) }
            return one.description == other.description
        }
    }
}
