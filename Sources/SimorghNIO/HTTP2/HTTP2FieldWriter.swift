// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOHPACK
import SimorghCore

/// Writes the fields of requests, compressed, with the table that a connection has for it.
///
/// What a server says that it accepts (RFC 9113, section 6.5.2) is kept to, though it is only advice: a list that is larger
/// would be refused, be it by a whole round trip later, and who is told why here can mend it. What goes out before the
/// server has said so goes out.
struct HTTP2FieldWriter {
    /// The most of the peer's memory that we use for the table.
    private static let largestTable = 4096

    /// The largest list of fields that the peer accepts; `nil` for any.
    var limit: Int? {
        didSet { if limit != oldValue { last = nil } }
    }
    private var encoder = HPACKEncoder(allocator: ByteBufferAllocator())
    /// A request whose fields are all in the table, and so go out as the same bytes as long as nothing is added to it.
    private var last: (plan: RequestPlan, block: ByteBuffer)?

    /// The peer says how large the table may be.
    mutating func resize(to size: Int) throws {
        last = nil
        try encoder.setDynamicTableSize(min(size, Self.largestTable))
    }

    /// The head of a request; what it holds was checked when it was planned.
    ///
    /// - Parameter plan: The request.
    /// - Returns: The block of fields.
    /// - Throws: `RequestFieldsTooLarge`, which leaves the table as it is, or what the table of fields says when it cannot
    ///   be used.
    mutating func write(_ plan: RequestPlan) throws -> ByteBuffer {
        if let last, Self.isSame(last.plan, plan) { return last.block }
        var fields = HPACKHeaders()
        fields.reserveCapacity(plan.fields.count + 8)
        fields.add(name: ":method", value: plan.method.rawValue)
        fields.add(name: ":scheme", value: plan.origin.isSecure ? "https" : "http")
        fields.add(name: ":authority", value: plan.authority)
        let path = plan.path
        fields.add(name: ":path", value: path.isEmpty ? "/" : path, indexing: Self.indexing(ofPath: path))
        for field in plan.fields {
            let name = field.name.canonicalName
            guard !EngineField.isDropped(name) else { continue }
            fields.add(name: name, value: field.value, indexing: Self.indexing(of: name, field))
        }
        if plan.continueTimeout != nil { fields.add(name: "expect", value: "100-continue") }
        if plan.decompresses { fields.add(name: "accept-encoding", value: KnownCoding.accepted) }
        if let priority = plan.addedPriority { fields.add(name: "priority", value: priority.description) }
        if let type = plan.addedContentType { fields.add(name: "content-type", value: type) }
        if let trailers = plan.request.body.trailers {
            fields.add(name: "trailer", value: trailers.announcement)
        }
        if let length = plan.announcedLength {
            fields.add(name: "content-length", value: String(length), indexing: .nonIndexable)
        }
        try check(fields)
        var block = ByteBufferAllocator().buffer(capacity: 256)
        try encoder.encode(headers: fields, to: &block)
        // Each byte a field that stands in the table (RFC 7541, section 6.1).
        last = block.readableBytesView.allSatisfy { $0 > 0x80 && $0 < 0xFF } ? (plan, block) : nil
        return block
    }

    /// The fields behind a body, which were checked when they were made.
    mutating func write(trailers: HTTPFields) throws -> ByteBuffer {
        last = nil
        var fields = HPACKHeaders()
        for field in trailers {
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

    /// Whether two requests have the same fields, in the same order.
    private static func isSame(_ one: RequestPlan, _ other: RequestPlan) -> Bool {
        one.request.body.trailers == nil && other.request.body.trailers == nil
            && one.announcedLength == nil && other.announcedLength == nil && one.decompresses == other.decompresses
            && one.addedContentType == other.addedContentType && isSame(one.addedPriority, other.addedPriority)
            && (one.continueTimeout == nil) == (other.continueTimeout == nil) && one.method == other.method
            && one.path == other.path && one.authority == other.authority
            && one.origin.isSecure == other.origin.isSecure && one.fields.count == other.fields.count
            && one.fields.indices.allSatisfy { index in
                let (field, known) = (one.fields[index], other.fields[index])
                return field.name == known.name && field.value == known.value
                    && field.indexingStrategy == known.indexingStrategy
            }
    }

    private static func isSame(_ one: StaticString?, _ other: StaticString?) -> Bool {
        guard let one, let other else { return (one == nil) == (other == nil) }
        return one.description == other.description
    }

    /// A path with a query differs from call to call, and may hold a secret.
    private static func indexing(ofPath path: String) -> HPACKIndexing {
        path.utf8.count > 64 || path.utf8.contains(UInt8(ascii: "?")) ? .nonIndexable : .indexable
    }

    /// What is secret is kept out of the table, where its parts could be guessed at (RFC 7541, section 7.1).
    private static func indexing(of name: String, _ field: HTTPField) -> HPACKIndexing {
        switch name {
        case "authorization", "proxy-authorization", "cookie": .neverIndexed
        default: field.indexingStrategy == .avoid || field.indexingStrategy == .disallow ? .neverIndexed : .indexable
        }
    }
}
