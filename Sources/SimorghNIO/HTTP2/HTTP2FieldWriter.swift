// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOHPACK
import SimorghCore

/// Writes the fields of requests, compressed, with the table that a connection has for it.
struct HTTP2FieldWriter {
    /// The most of the peer's memory that we use for the table.
    private static let largestTable = 4096

    private var encoder = HPACKEncoder(allocator: ByteBufferAllocator())

    /// The peer says how large the table may be.
    mutating func resize(to size: Int) throws { try encoder.setDynamicTableSize(min(size, Self.largestTable)) }

    /// The head of a request; what it holds was checked when it was planned.
    ///
    /// - Parameter plan: The request.
    /// - Returns: The block of fields.
    /// - Throws: What the table of fields says when it cannot be used.
    mutating func write(_ plan: RequestPlan) throws -> ByteBuffer {
        let head = plan.request.head
        var fields = HPACKHeaders()
        fields.reserveCapacity(plan.fields.count + 8)
        fields.add(name: ":method", value: head.method.rawValue)
        fields.add(name: ":scheme", value: plan.origin.isSecure ? "https" : "http")
        fields.add(name: ":authority", value: head.authority ?? plan.origin.host)
        let path = head.path ?? "/"
        fields.add(name: ":path", value: path.isEmpty ? "/" : path, indexing: Self.indexing(ofPath: path))
        for field in plan.fields {
            let name = field.name.canonicalName
            guard !EngineField.isDropped(name) else { continue }
            fields.add(name: name, value: field.value, indexing: Self.indexing(of: name, field))
        }
        if plan.decompresses { fields.add(name: "accept-encoding", value: "gzip, deflate") }
        if let type = plan.addedContentType { fields.add(name: "content-type", value: type) }
        if let length = plan.announcedLength {
            fields.add(name: "content-length", value: String(length), indexing: .nonIndexable)
        }
        var block = ByteBuffer()
        try encoder.encode(headers: fields, to: &block)
        return block
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
