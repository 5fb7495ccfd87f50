// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOHPACK
import SimorghCore
import SimorghNIO
import TestSupport
import Testing

@Suite("HTTP2FieldWriter", .timeLimit(.minutes(5)))
struct HTTP2FieldWriterTests {
    private static let request = TransportRequest(
        head: HTTPRequest(method: .get, scheme: "http", authority: "example.com", path: "/nests"))

    @Test("The cached block of a request does not retain the request")
    func memory() throws {
        var writer = HTTP2FieldWriter()
        weak var known: RequestPlan?
        var short = ByteBuffer()
        do {
            let plan = try RequestPlan(Self.request)
            let long = try writer.write(plan)
            short = try writer.write(plan)
            #expect(short.readableBytes < long.readableBytes)
            #expect(short.readableBytesView.allSatisfy { $0 > 0x80 }, "each field is in the table")
            known = plan
        }
        #expect(known == nil)
        let again = try writer.write(RequestPlan(Self.request))
        #expect(again == short)
    }

    @Test("A secret field is never indexed, and so encoded literally each time", arguments: [true, false])
    func secrets(isMarked: Bool) throws {
        var field = HTTPField(name: .authorization, value: "Bearer secret")
        if isMarked, let name = HTTPField.Name("X-Key") {
            field = HTTPField(name: name, value: "secret")
            field.indexingStrategy = .disallow
        }
        var request = Self.request
        request.head.headerFields.append(field)
        let plan = try RequestPlan(request)
        var writer = HTTP2FieldWriter()
        _ = try writer.write(plan)
        let second = try writer.write(plan)
        #expect(!second.readableBytesView.allSatisfy { $0 > 0x80 })
    }

    private static let changes: [@Sendable (inout TransportRequest) -> Void] = [
        { $0.head.method = .head }, { $0.head.path = "/eggs" }, { $0.head.authority = "example.org" },
        { $0.head.scheme = "https" }, { $0.head.headerFields[.accept] = "text/html" },
        { $0.options.decompresses = false }, { $0.options.priority = .high },
    ]

    @Test(
        "A request that differs from the previous one is never sent with its cached block", arguments: changes.indices)
    func differs(_ index: Int) throws {
        var writer = HTTP2FieldWriter()
        let plan = try RequestPlan(Self.request)
        _ = try writer.write(plan)
        let short = try writer.write(plan)
        let other = try writer.write(RequestPlan(Self.request.with(Self.changes[index])))
        #expect(other != short)
    }

    @Test(
        "A value is sent with its own bytes, also after a canonically equivalent one with other bytes",
        arguments: [("K", "\u{212A}"), ("\u{212A}", "K"), ("\u{E9}", "e\u{301}"), (";", "\u{37E}")])
    func bytes(first: String, then: String) throws {
        let name = try #require(HTTPField.Name("X-Sign"))
        func plan(_ value: String) throws -> RequestPlan {
            try RequestPlan(Self.request.with { $0.head.headerFields[name] = value })
        }
        var writer = HTTP2FieldWriter()
        _ = try writer.write(plan(first))
        let known = try writer.write(plan(first))
        let other = try writer.write(plan(then))
        #expect(other != known)
        let again = try writer.write(plan(first))
        #expect(again != other)
    }

    private static let rawCookies: [(before: String, after: String, sent: [String])] = [
        ("a=1; b=", "; c=3", ["a=1; c=3"]), ("b=", "", []), ("b=", "; c=3", ["c=3"]), ("a=1 ; b=", "", ["a=1"]),
    ]

    @Test("A cookie that is not UTF-8 is omitted, and the others are sent", arguments: rawCookies.indices)
    func leavesOut(index: Int) throws {
        let (before, after, sent) = Self.rawCookies[index]
        let value: [UInt8] = Array(before.utf8) + [0xE9] + Array(after.utf8)
        let request = Self.request.with {
            $0.head.headerFields.append(HTTPField(name: .cookie, value: value))
        }
        var writer = HTTP2FieldWriter()
        var decoder = HPACKDecoder(allocator: ByteBufferAllocator())
        // The second time the other fields are in the dynamic table.
        for _ in 0..<2 {
            var block = try writer.write(RequestPlan(request))
            let fields = try decoder.decodeHeaders(from: &block)
            #expect(fields["cookie"] == sent)
        }
        // The replacement character that an earlier version sent instead of the bytes.
        let replaced = Self.request.with { $0.head.headerFields[.cookie] = before + "\u{FFFD}" + after }
        var other = try writer.write(RequestPlan(replaced))
        let read = try decoder.decodeHeaders(from: &other)
        #expect(read["cookie"] != sent)
    }

    @Test("Another field that is not UTF-8 is refused, and the next request is unaffected")
    func rawField() throws {
        let name = try #require(HTTPField.Name("X-Name"))
        let value: [UInt8] = [0x63, 0xE9]
        let plan = try RequestPlan(
            Self.request.with { $0.head.headerFields.append(HTTPField(name: name, value: value)) })
        var writer = HTTP2FieldWriter()
        #expect(throws: InvalidRequestError.self) { _ = try writer.write(plan) }
        let first = try writer.write(RequestPlan(Self.request))
        var fresh = HTTP2FieldWriter()
        let expected = try fresh.write(RequestPlan(Self.request))
        #expect(first == expected)
    }
}
