// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghREST
import SimorghSupport
import SimorghTesting
import TestSupport
import Testing

@Suite("Pagination", .timeLimit(.minutes(2)))
struct PaginationTests {
    /// Returns a server with a number of items that are asked for by offset; it sends at most `most` at once.
    private static func counted(_ total: Int, most: Int = .max) -> StubServer {
        StubServer { request in
            func value(_ name: String) -> Int? { request.query.first { $0.name == name }.flatMap { Int($0.value) } }
            let size = min(value("limit") ?? value("per_page") ?? 3, most)
            let start = value("offset") ?? ((value("page") ?? 1) - 1) * size
            return .json(Array((0..<total).dropFirst(start).prefix(size)))
        }
    }

    private static func queries(_ server: StubServer) -> [String] {
        server.requests.map { request in request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&") }
    }

    @Test("Offset: each page begins after the items that came, also if the server sends fewer", arguments: [2, 3, 100])
    func offset(most: Int) async throws {
        let server = Self.counted(7, most: most)
        let pages = APIClient.scripted(server).pages(of: Int.self, "a", by: .offset(limit: 3))
        #expect(try await pages.elements.collect() == Array(0..<7))
        #expect(Self.queries(server).first == "offset=0&limit=3")
        #expect(Self.queries(server).last == "offset=7&limit=3")
    }

    @Test("Offset: a short page ends the list only if the caller says so")
    func shortPage() async throws {
        let server = Self.counted(7)
        let pages = APIClient.scripted(server).pages(
            of: Int.self, "a", by: .offset(limit: 3, offsetItem: "offset", endsAtShortPage: true))
        #expect(try await pages.elements.collect() == Array(0..<7))
        #expect(server.requestCount == 3)
    }

    @Test("Page: numbers count up from the first to an empty page, and replace those of the caller and the client")
    func page() async throws {
        let server = Self.counted(5)
        let client = APIClient.scripted(server) { $0.query = ["page": 9, "key": "k"] }
        let pages = client.pages(of: Int.self, "a?page=7&x=1", query: ["page": 8, "per_page": 1], by: .page(size: 2))
        #expect(try await pages.elements.collect() == Array(0..<5))
        #expect(
            Self.queries(server)
                == (1...4).map { "x=1&key=k&page=\($0)&per_page=2" })
    }

    @Test("Page: without a size the server decides, and the first page has any number")
    func firstPage() async throws {
        let server = Self.counted(7)
        let pages = APIClient.scripted(server).pages(of: Int.self, "a", by: .page(first: 2))
        #expect(try await pages.elements.collect() == [3, 4, 5, 6])
        #expect(Self.queries(server) == ["page=2", "page=3", "page=4"])
    }

    /// The next cursor or URL in a body, and the queries that are sent.
    struct Ending: Sendable, CustomTestStringConvertible {
        let json: String
        let query: String?
        var testDescription: String { json }
    }

    @Test(
        "Cursor and next URL: missing, null and empty end the list; strings and integers continue it",
        arguments: [
            Ending(json: #"{"items": [1]}"#, query: nil),
            Ending(json: #"{"items": [1], "meta": {}}"#, query: nil),
            Ending(json: #"{"items": [1], "meta": null}"#, query: nil),
            Ending(json: #"{"items": [1], "meta": {"next": null}}"#, query: nil),
            Ending(json: #"{"items": [1], "meta": {"next": ""}}"#, query: nil),
            Ending(json: #"{"items": [1], "meta": {"next": false}}"#, query: nil),
            Ending(json: #"{"items": [1], "meta": {"next": "a b&c"}}"#, query: "a b&c"),
            Ending(json: #"{"items": [1], "meta": {"next": 17}}"#, query: "17"),
        ])
    func endings(_ ending: Ending) async throws {
        let server = StubServer(inOrder: [.json(ending.json), .json(#"{"items": [2]}"#)])
        let pages = APIClient.scripted(server).pages(
            of: Int.self, "a", at: "items", by: .cursor(at: "meta.next", item: "after"))
        #expect(try await pages.elements.collect() == (ending.query == nil ? [1] : [1, 2]))
        #expect(server.requests.dropFirst().first?.query.first?.value == ending.query)
        if let query = ending.query {
            let other = StubServer(inOrder: [.json(ending.json), .json(#"{"items": [2]}"#)])
            let linked = APIClient.scripted(other).pages(
                of: Int.self, "a/b", at: "items", by: .nextURL(at: "meta.next"))
            #expect(try await linked.elements.collect() == [1, 2])
            #expect(other.requests.last?.path == "/a/\(query.replacing(" ", with: "%20"))")
        }
    }

    @Test("A closure decides by the page, can send another body, and its error ends the iteration")
    func custom() async throws {
        struct Failed: Error {}
        let server = StubServer { request in
            let page = try request.json(JSON.self).page.int ?? 0
            return .json(JSON.array([JSON(integerLiteral: Int64(page))]))
        }
        let call = APIClient.scripted(server).call(.post, "search", body: .json(["page": 1]))
        let pages = call.pages(
            of: Int.self,
            by: Pagination { page in
                guard page.number < 3 else { throw Failed() }
                return .body(.json(["page": page.number + 1]))
            })
        var items: [Int] = []
        let error = await #expect(throws: NetworkError.self) {
            for try await item in pages.elements { items.append(item) }
        }
        #expect(items == [1, 2, 3])
        #expect(error?.underlyingError is Failed)
    }

    @Test(
        "Conditions, ranges and the caller's idempotency key are sent with the first page only",
        arguments: ["url", "query", "body"])
    func firstPageFields(way: String) async throws {
        let names = [
            "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range", "Range",
            "Idempotency-Key", "X-Key",
        ]
        var headers = ["X-Other": "kept"]
        for name in names { headers[name] = "first" }
        let server = StubServer { _ in .json([1]) }
        let client = APIClient.scripted(server) {
            $0.retry = RetryPolicy()
            $0.retry?.idempotencyKey = .automatic(header: "X-Key")
        }
        let pages = client.call(.post, "a", headers: headers, body: .json(["page": 1])).pages(
            of: Int.self,
            by: Pagination { page in
                guard page.number < 3 else { return nil }
                switch way {
                case "url": return .url("?page=\(page.number + 1)")
                case "query": return .query(["page": page.number + 1])
                default: return .body(.json(["page": page.number + 1]))
                }
            })
        #expect(try await pages.elements.collect() == [1, 1, 1])
        let sent = server.requests.map { request in
            names.filter { request.head.headerFields[.known($0)] == "first" }
        }
        #expect(sent == [names, [], []])
        #expect(server.requests.allSatisfy { $0.head.headerFields[.known("X-Other")] == "kept" })
    }

    @Test("A response 204 is an empty page, which ends the list")
    func noContent() async throws {
        let server = StubServer(inOrder: [.json([1]), .status(.noContent)])
        let pages = APIClient.scripted(server).pages(of: Int.self, "a", by: .page())
        #expect(try await pages.elements.collect() == [1])
    }
}
