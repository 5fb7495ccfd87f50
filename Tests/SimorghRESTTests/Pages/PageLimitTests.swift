// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghREST
import SimorghTesting
import TestSupport
import Testing

@Suite("The limits of pages", .timeLimit(.minutes(2)))
struct PageLimitTests {
    private static func reason(_ error: NetworkError?) -> PageError.Reason? {
        (error?.underlyingError as? PageError)?.reason
    }

    /// Collects items until the end or an error.
    private static func items<Body>(of pages: Pages<Body, Int>) async -> (items: [Int], error: NetworkError?) {
        var items: [Int] = []
        do {
            for try await item in pages.elements { items.append(item) }
        } catch {
            return (items, error as? NetworkError)
        }
        return (items, nil)
    }

    @Test("A list with more pages than the limit throws after the pages up to it, or ends", arguments: [false, true])
    func pages(endsAtLimit: Bool) async throws {
        let server = PagesTests.linked(5)
        let pages = APIClient.scripted(server).pages(of: Int.self, "a", by: .linkHeader).with {
            $0.maximumPages = 3
            $0.endsAtLimit = endsAtLimit
        }
        let (items, error) = await Self.items(of: pages)
        #expect(items == Array(1...6))
        #expect(Self.reason(error) == (endsAtLimit ? nil : .tooManyPages))
        #expect(server.requestCount == 3)
    }

    @Test("A list of exactly the limits is complete", arguments: [false, true])
    func exact(prefetches: Bool) async throws {
        let pages = APIClient.scripted(PagesTests.linked(3)).pages(of: Int.self, "a", by: .linkHeader).with {
            $0.maximumPages = 3
            $0.maximumItems = 6
            $0.prefetches = prefetches
        }
        let (items, error) = await Self.items(of: pages)
        #expect(items == Array(1...6) && error == nil)
    }

    @Test(
        "A list with more items than the limit throws in place of the page that exceeds it, or is cut",
        arguments: [false, true], [3, 4])
    func items(endsAtLimit: Bool, limit: Int) async throws {
        let server = PagesTests.linked(5)
        let pages = APIClient.scripted(server).pages(of: Int.self, "a", by: .linkHeader).with {
            $0.maximumItems = limit
            $0.endsAtLimit = endsAtLimit
        }
        let (items, error) = await Self.items(of: pages)
        #expect(items == (endsAtLimit ? Array(1...limit) : Array(1...(limit / 2 * 2))))
        #expect(Self.reason(error) == (endsAtLimit ? nil : .tooManyItems))
        #expect(server.requestCount == 2)
    }

    @Test(
        "The same next page twice is a loop",
        arguments: ["<?page=1>", "<>", "<https://api.test/a?page=1>", "<?page=1#x>", "<./a?page=1>"])
    func loop(link: String) async throws {
        let server = StubServer { _ in .json([1]).header(.link, value: "\(link); rel=next") }
        let pages = APIClient.scripted(server).pages(of: Int.self, "a", query: ["page": 1], by: .linkHeader)
        let (items, error) = await Self.items(of: pages)
        #expect(items == [1])
        #expect(Self.reason(error) == .loop)
    }

    @Test("The same cursor twice is a loop, and so is a longer cycle of URLs")
    func cycles() async throws {
        let cursors = StubServer { _ in .json(#"{"items": [1], "next": "x"}"#) }
        let client = APIClient.scripted(cursors)
        let (items, error) = await Self.items(
            of: client.pages(of: Int.self, "a", at: "items", by: .cursor(at: "next")))
        #expect(items == [1, 1] && Self.reason(error) == .loop)
        let cycle = StubServer { request in
            let page = request.query.first.flatMap { Int($0.value) } ?? 0
            return .json([page]).header(.link, value: "<?page=\((page + 1) % 3)>; rel=next")
        }
        let (numbers, other) = await Self.items(
            of: APIClient.scripted(cycle).pages(of: Int.self, "a", query: ["page": 0], by: .linkHeader))
        #expect(numbers == [0, 1, 2] && Self.reason(other) == .loop)
    }

    @Test("A cursor that does not fit into a request is an error", arguments: [65_529, 65_530, 2_000_000])
    func longCursor(count: Int) async throws {
        let cursor = String(repeating: "x", count: count)
        let server = StubServer { request in
            .json(request.query.isEmpty ? #"{"items": [1], "next": "\#(cursor)"}"# : #"{"items": [2]}"#)
        }
        let (items, error) = await Self.items(
            of: APIClient.scripted(server).pages(
                of: Int.self, "a", at: "items", by: .cursor(at: "next", item: "cursor!")))
        // 7 bytes are the name.
        #expect(items == (count == 65_529 ? [1, 2] : [1]))
        #expect(Self.reason(error) == (count == 65_529 ? nil : .invalidURL))
        #expect(server.requestCount == items.count)
    }

    @Test(
        "A page with more links than are read, and no next one among those, is an error", arguments: [0, 255, 256, 300])
    func links(before count: Int) async throws {
        let links = (0..<count).map { "</\($0)>; rel=item" } + ["<?page=2>; rel=next"]
        let server = StubServer { request in
            request.query.isEmpty ? .json([1]).header(.link, value: links.joined(separator: ", ")) : .json([2])
        }
        let (items, error) = await Self.items(
            of: APIClient.scripted(server).pages(of: Int.self, "a", by: .linkHeader))
        #expect(items == (count < LinkHeader.maximumLinks ? [1, 2] : [1]))
        #expect(Self.reason(error) == (count < LinkHeader.maximumLinks ? nil : .incompleteLinks))
        #expect(error?.response?.url == (error == nil ? nil : "https://api.test/a"))
    }

    @Test("A page whose number is larger than an integer is an error")
    func largestNumber() async throws {
        let server = StubServer { _ in .json([1]) }
        let (items, error) = await Self.items(
            of: APIClient.scripted(server).pages(of: Int.self, "a", by: .page(first: Int.max - 1)))
        #expect(items == [1, 1])
        #expect(Self.reason(error) == .invalidURL)
    }

    @Test("An endless list ends at the default number of pages")
    func endless() async throws {
        let server = StubServer { _ in .json([1]) }
        let (items, error) = await Self.items(of: APIClient.scripted(server).pages(of: Int.self, "a", by: .page()))
        #expect(items.count == PageOptions().maximumPages)
        #expect(Self.reason(error) == .tooManyPages)
    }

    @Test("Errors do not show the query of the next page")
    func messages() async throws {
        let server = StubServer { _ in .json([1]).header(.link, value: "<https://evil.test/x?token=s3cret>; rel=next") }
        let (_, error) = await Self.items(of: APIClient.scripted(server).pages(of: Int.self, "a", by: .linkHeader))
        #expect(Self.reason(error) == .otherOrigin)
        let text = try #require(error).description
        #expect(text.contains("https://evil.test") && text.contains("allowedOrigins"))
        #expect(!text.contains("s3cret"))
        #expect((error?.underlyingError as? PageError)?.next == "https://evil.test/x?token=s3cret")
        #expect(error?.response?.url == "https://api.test/a")
    }
}
