// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghNIO
import SimorghREST
import SimorghTesting
import TestSupport
import Testing

@Suite("Random pages", .timeLimit(.minutes(5)))
struct PageRandomTests {
    /// Adds a list with pages of random sizes, empty ones too, that is linked in a random way.
    private static func serve(_ sizes: [Int], kind: Int, on server: MockServer) {
        let starts = sizes.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
        server.on("/list") { request in
            let page = request.query.first { $0.name == "p" }.flatMap { Int($0.value) } ?? 0
            let items = Array(starts[page]..<starts[page + 1])
            let next = page + 1 < sizes.count ? page + 1 : nil
            switch kind {
            case 0:
                let answer = StubResponse.json(["items": items])
                return next.map { answer.header(.link, value: "<?p=\($0)>; rel=\"next\"") } ?? answer
            case 1: return .json(["items": items, "next": next.map { [$0] } ?? []])
            default:
                let url = next.map { "\"/list?p=\($0)\"" } ?? "null"
                return .json(#"{"items": \#(items), "url": \#(url)}"#)
            }
        }
    }

    private static func pagination(_ kind: Int) -> Pagination<[Int], Int> {
        switch kind {
        case 0: .linkHeader
        case 1: .cursor(at: "next.0", item: "p")
        default: .nextURL(at: "url")
        }
    }

    @Test(
        "All items come once and in order, and random cancellation leaves nothing behind",
        arguments: [11, 12, 13, 14] as [UInt64])
    func all(seed: UInt64) async throws {
        var numbers = SeededNumbers(seed)
        for turn in 0..<12 {
            let sizes = (0..<Int.random(in: 1...12, using: &numbers)).map { _ in Int.random(in: 0...4, using: &numbers)
            }
            let (total, kind) = (sizes.reduce(0, +), turn % 3)
            let (prefetches, stop) = (Bool.random(using: &numbers), Int.random(in: 0...(total + 3), using: &numbers))
            try await MockServer.with { server in
                Self.serve(sizes, kind: kind, on: server)
                let transport = NIOTransport()
                let client = APIClient.scripted(transport, baseURL: server.url)
                let pages = client.pages(of: Int.self, "list", at: "items", by: Self.pagination(kind))
                    .with { $0.prefetches = prefetches }
                let name = "seed \(seed), turn \(turn): \(sizes), kind \(kind), prefetches \(prefetches), stop \(stop)"
                #expect(try await pages.elements.collect() == Array(0..<total), "\(name)")
                #expect(server.requestCount == sizes.count, "\(name)")
                try await expectNoLeaks(in: server) {
                    let taken = Counter()
                    let reader = Task { () -> [Int] in
                        var items: [Int] = []
                        do {
                            for try await item in pages.elements {
                                items.append(item)
                                taken.next()
                                if items.count == stop, turn.isMultiple(of: 2) { break }
                            }
                        } catch {
                            #expect((error as? NetworkError)?.isCancelled == true, "\(name): \(error)")
                        }
                        return items
                    }
                    if !turn.isMultiple(of: 2) {
                        while taken.count < min(stop, total), !reader.isCancelled { await Task.yield() }
                        reader.cancel()
                    }
                    let items = await reader.value
                    #expect(items == Array(0..<items.count), "\(name)")
                    #expect(items.count >= min(stop, total) || stop == 0, "\(name)")
                }
                #expect(server.requestCount <= 2 * sizes.count, "\(name)")
            }
        }
    }
}
