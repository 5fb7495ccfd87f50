// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghREST
import SimorghTesting
import TestSupport
import Testing

@Suite("Pages", .timeLimit(.minutes(2)))
struct PagesTests {
    struct Birds: Codable, Sendable {
        var items: [Int]
        var next: String?
    }

    struct List: NetworkRouter {
        struct Query: Codable { let q: String }
        var path: String { "birds" }
        var queryParams: Query? { Query(q: "owl") }
        var headers: [String: String]? { ["X-Tenant": "zal"] }
    }

    /// Returns a server with pages of two numbers each, at `/birds?page=…`, that links them.
    static func linked(_ count: Int) -> StubServer {
        StubServer { request in
            let page = request.query.last { $0.name == "page" }.flatMap { Int($0.value) } ?? 1
            let answer = StubResponse.json([2 * page - 1, 2 * page])
            return page < count
                ? answer.header(.link, value: "<?page=\(page + 1)>; rel=\"next\", <?page=\(count)>; rel=last") : answer
        }
    }

    @Test("Link: all items come in order, and nothing is requested before it is asked for")
    func linkHeader() async throws {
        let server = Self.linked(3)
        let pages = APIClient.scripted(server).pages(of: Int.self, "birds", by: .linkHeader)
        #expect(server.requestCount == 0)
        var iterator = pages.makeAsyncIterator()
        let first = try #require(try await iterator.next())
        #expect(first.items == [1, 2] && first.number == 1 && first.itemCount == 2)
        #expect(server.requestCount == 1)
        let second = try #require(try await iterator.next())
        #expect(second.items == [3, 4] && second.number == 2 && second.itemCount == 4)
        #expect(second.response.url == "https://api.test/birds?page=2")
        #expect(server.requestCount == 2)
        #expect(try await iterator.next()?.items == [5, 6])
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
        #expect(server.requestCount == 3)
        #expect(try await pages.elements.collect() == [1, 2, 3, 4, 5, 6])
    }

    @Test("A page is a Swift sequence that stops requesting when the loop is left")
    func leaving() async throws {
        let server = Self.linked(100)
        var items: [Int] = []
        for try await item in APIClient.scripted(server).pages(of: Int.self, "birds", by: .linkHeader).elements {
            items.append(item)
            if items.count == 3 { break }
        }
        #expect(items == [1, 2, 3])
        #expect(server.requestCount == 2)
    }

    @Test("Prefetching requests exactly one page ahead")
    func prefetching() async throws {
        let server = Self.linked(4)
        let pages = APIClient.scripted(server).pages(of: Int.self, "birds", by: .linkHeader).with {
            $0.prefetches = true
        }
        var iterator = pages.makeAsyncIterator()
        #expect(server.requestCount == 0)
        #expect(try await iterator.next()?.number == 1)
        _ = try await server.request(at: 1)
        for _ in 0..<200 { await Task.yield() }
        #expect(server.requestCount == 2)
        #expect(try await iterator.next()?.number == 2)
        _ = try await server.request(at: 2)
        for _ in 0..<200 { await Task.yield() }
        #expect(server.requestCount == 3)
        #expect(try await iterator.next()?.number == 3)
        #expect(try await iterator.next()?.number == 4)
        #expect(try await iterator.next() == nil)
        #expect(server.requestCount == 4)
    }

    /// Returns a server with two pages, the second of which it sends as soon as the gate is open.
    private static func server(holdingSecondPageBy gate: Gate) -> StubServer {
        StubServer { request in
            if request.query.isEmpty { return .json([1]).header(.link, value: "<?page=2>; rel=next") }
            try await gate.wait()
            return .json([2])
        }
    }

    @Test("Releasing the iterator cancels the page that was requested ahead")
    func released() async throws {
        let gate = Gate()
        let server = Self.server(holdingSecondPageBy: gate)
        try await expectNoLeaks(in: server) {
            let pages = APIClient.scripted(server).pages(of: Int.self, "a", by: .linkHeader).with {
                $0.prefetches = true
            }
            for try await page in pages {
                #expect(page.items == [1])
                try await gate.waiting()
                break
            }
        }
        #expect(gate.waitingCount == 0)
    }

    @Test("Cancelling the task ends a running request, with and without prefetching", arguments: [false, true])
    func cancelled(prefetches: Bool) async throws {
        let gate = Gate()
        let server = Self.server(holdingSecondPageBy: gate)
        try await expectNoLeaks(in: server) {
            let pages = APIClient.scripted(server).pages(of: Int.self, "a", by: .linkHeader)
                .with { $0.prefetches = prefetches }
            let task = Task { () -> NetworkError? in
                do {
                    _ = try await pages.elements.collect()
                    return nil
                } catch {
                    return error as? NetworkError
                }
            }
            try await gate.waiting()
            task.cancel()
            #expect(await task.value?.isCancelled == true)
        }
    }

    @Test("A failed page throws its error after the items before it, and then the iteration is over")
    func failure() async throws {
        let server = StubServer { request in
            request.query.isEmpty
                ? .json([1, 2]).header(.link, value: "<?page=2>; rel=next") : .status(.internalServerError)
        }
        var items = APIClient.scripted(server).pages(of: Int.self, "a", by: .linkHeader).elements.makeAsyncIterator()
        #expect(try await items.next() == 1)
        #expect(try await items.next() == 2)
        let error = await #expect(throws: NetworkError.self) { _ = try await items.next() }
        #expect(error?.statusCode == 500)
        #expect(try await items.next() == nil)
    }

    @Test("Every page has the retries, credentials, header fields and query of the call")
    func pipeline() async throws {
        let failures = Counter()
        let server = StubServer { request in
            if request.query.contains(where: { $0.name == "page" }), failures.next() == 1 {
                return .status(.serviceUnavailable)
            }
            let page = request.query.contains { $0.name == "page" && $0.value == "2" }
            return page
                ? .json(["items": [2]]) : .json(["items": [1]]).header(.link, value: "<?q=owl&page=2>; rel=next")
        }
        let client = APIClient.scripted(server) {
            $0.authentication = .bearer("secret")
            $0.query = ["key": "k"]
            var retry = RetryPolicy()
            retry.baseDelay = .zero
            $0.retry = retry
        }
        let items = try await client.pages(of: Int.self, List(), at: "items", by: .linkHeader).elements.collect()
        #expect(items == [1, 2])
        #expect(server.requestCount == 3)
        for request in server.requests {
            #expect(request.header(.authorization) == "Bearer secret")
            #expect(request.head.headerFields[.known("X-Tenant")] == "zal")
            #expect(request.query.contains { $0.name == "q" && $0.value == "owl" })
            #expect(request.query.filter { $0.name == "key" }.map(\.value) == ["k"])
        }
    }

    @Test("A linked page of a POST is fetched with GET and without the body and its fields")
    func post() async throws {
        let server = StubServer { request in
            request.method == .post
                ? .json([1]).header(.link, value: "</results/2>; rel=next") : .json([2])
        }
        let call = APIClient.scripted(server).call(
            .post, "search", headers: ["Content-Language": "en", "X-A": "1"], body: .json(["q": "owl"]))
        #expect(try await call.pages(of: Int.self, by: .linkHeader).elements.collect() == [1, 2])
        let second = try #require(server.requests.last)
        #expect(second.method == .get && second.body.isEmpty && second.path == "/results/2")
        #expect(second.header(.contentType) == nil && second.header(.contentLanguage) == nil)
        #expect(second.head.headerFields[.known("X-A")] == "1")
    }

    @Test("An envelope gives its items, and a request type its own decoding")
    func envelopes() async throws {
        struct Fetch: NetworkRequest {
            typealias Response = Birds
            var path: String { "birds" }
        }
        let server = StubServer { request in
            request.query.isEmpty ? .json(Birds(items: [1, 2], next: "b")) : .json(Birds(items: [3], next: nil))
        }
        let client = APIClient.scripted(server)
        let pages = client.pages(in: Birds.self, "birds", items: \.items, by: .cursor(\.next))
        #expect(try await pages.elements.collect() == [1, 2, 3])
        #expect(server.requests.last?.query.map(\.value) == ["b"])
        #expect(
            try await client.call(Fetch()).pages(items: \.items, by: .cursor(\.next)).elements.collect() == [1, 2, 3])
        #expect(
            try await client.pages(of: Int.self, "birds", at: "items", by: .cursor(at: "next")).elements.collect()
                == [1, 2, 3])
    }

    @Test("Relative links are resolved against the URL that answered, after redirects")
    func redirected() async throws {
        let server = StubServer { request in
            switch request.path {
            case "/old/list": StubResponse.status(.permanentRedirect).header(.location, value: "/new/list/")
            case "/new/list/": .json([1]).header(.link, value: "<2>; rel=next")
            case "/new/list/2": .json([2])
            default: .status(.notFound)
            }
        }
        #expect(
            try await APIClient.scripted(server).pages(of: Int.self, "old/list", by: .linkHeader).elements.collect()
                == [1, 2])
    }
}
