// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCombine
import SimorghCore
import SimorghREST
import SimorghTesting
import Synchronization
import Testing

@Suite("Publishers of pages", .timeLimit(.minutes(2)))
struct PagePublisherTests {
    private static func server() -> StubServer {
        StubServer { request in
            let page = request.query.first.flatMap { Int($0.value) } ?? 1
            let answer = StubResponse.json([2 * page - 1, 2 * page])
            return page < 5 ? answer.header(.link, value: "<?page=\(page + 1)>; rel=next") : answer
        }
    }

    @Test("Items are published according to demand, followed by the completion", arguments: [1, 3, Int.max])
    func elements(step: Int) async throws {
        let server = Self.server()
        let publisher = APIClient.scripted(server).pages(of: Int.self, "a", by: .linkHeader).elements
            .publisher(on: .immediate)
        #expect(server.requestCount == 0)
        let gate = Gate()
        let values = Mutex<[Int]>([])
        publisher.subscribe(
            DemandSubscriber<Int>(step: step) { item in
                values.withLock { $0.append(item) }
            } end: {
                gate.open()
            })
        try await gate.wait()
        #expect(values.withLock { $0 } == Array(1...10))
        #expect(server.requestCount == 5)
    }

    @Test("Pages are published, and only those that are demanded and one more are requested")
    func pages() async throws {
        let server = Self.server()
        let publisher = APIClient.scripted(server).pages(of: Int.self, "a", by: .linkHeader).publisher(on: .immediate)
        let numbers = Mutex<[Int]>([])
        let gate = Gate()
        publisher.subscribe(
            DemandSubscriber<Page<[Int], Int>>(step: 2, asksAgain: false) { page in
                numbers.withLock { $0.append(page.number) }
                if page.number == 2 { gate.open() }
            } end: {
            })
        try await gate.wait()
        _ = try await server.request(at: 2)
        #expect(numbers.withLock { $0 } == [1, 2])
        #expect(server.requestCount == 3)
    }
}
