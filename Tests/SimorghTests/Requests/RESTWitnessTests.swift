// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghNIO
import SimorghTesting
import TestSupport
import Testing

/// Pages and problem details from nginx and a Python server.
@Suite("REST APIs over real servers", .timeLimit(.minutes(5)))
struct RESTWitnessTests {
    private struct Bird: Codable, Sendable, Equatable { var id: Int }

    @Test("nginx: the pages of its Link fields come in order", arguments: [false, true])
    func nginx(prefetches: Bool) async throws {
        let client = APIClient(baseURL: try Witness.nginx.url)
        let pages = client.pages(of: String.self, "pages/1", by: .linkHeader).with { $0.prefetches = prefetches }
        var found: [[String]] = []
        for try await page in pages { found.append(page.items) }
        #expect(found == [["a", "b"], ["c"], []])
        let second = try await client.call(.get, "pages/2").response().response.links
        #expect(second.links.count == 2)
        #expect(second["prev"] == nil)
        #expect(second["http://example.net/MORE"]?.title == "nächste")
    }

    @Test("nginx: a link to another name of the same server is another origin")
    func otherOrigin() async throws {
        let url = try Witness.nginx.url
        let client = APIClient(baseURL: url).with { $0.authentication = .bearer("secret").everywhere() }
        let pages = client.pages(of: String.self, "pages/away", by: .linkHeader)
        let error = await #expect(throws: NetworkError.self) { try await pages.elements.collect() }
        #expect((error?.underlyingError as? PageError)?.reason == .otherOrigin)
    }

    @Test("Python: a list of random size comes whole, with one field or several", arguments: [1, 2, 3, 4] as [UInt64])
    func lists(seed: UInt64) async throws {
        var numbers = SeededNumbers(seed)
        let client = APIClient(baseURL: try Witness.problems.url)
        for _ in 0..<5 {
            let (total, count) = (Int.random(in: 0...40, using: &numbers), Int.random(in: 1...9, using: &numbers))
            let per = Bool.random(using: &numbers) ? "field" : "list"
            let query: QueryItems = ["count": count, "total": total, "per": per]
            let pages = client.pages(of: Bird.self, "birds", query: query, by: .linkHeader)
                .with { $0.prefetches = Bool.random(using: &numbers) }
            let birds = try await pages.elements.collect()
            #expect(birds.map(\.id) == Array(0..<total), "seed \(seed): \(total) by \(count)")
        }
    }

    @Test("Python: problems of the RFC are read from JSON and XML", arguments: ["json", "xml"])
    func problems(format: String) async throws {
        let client = APIClient(baseURL: try Witness.problems.url)
        func problem(_ name: String) async throws -> ProblemDetails? {
            try await #require(throws: NetworkError.self) {
                try await client.call(.get, "problems/\(name)", query: ["as": format]).void()
            }.problem
        }
        let credit = try #require(try await problem("out-of-credit"))
        #expect(credit.type == "https://example.com/probs/out-of-credit")
        #expect(credit.status == 403)
        #expect(credit.extensions.balance == (format == "xml" ? "30" : 30))
        #expect(credit.extensions.accounts[0] == "/account/12345")
        let validation = try #require(try await problem("validation"))
        #expect(validation.extensions.errors[1].pointer == "#/profile/color")
        #expect(validation.extensions.errors[1].detail == "must be 'green', 'red' or 'blue'")
        #expect(try await problem("blank")?.type == "about:blank")
        #expect(try await problem("relative")?.type == "\(try Witness.problems.url)/probs/a%20b")
        if format == "json" {
            let wrong = try #require(try await problem("wrong-types"))
            #expect(wrong.type == "about:blank" && wrong.title == nil && wrong.status == nil && wrong.detail == nil)
            #expect(wrong.extensions == ["extra": true])
        }
        #expect(try await problem("broken") == nil)
    }

    @Test("Closures: pages come in order on the queue, then the completion, and releasing the task ends both")
    func closures() async throws {
        let client = APIClient(baseURL: try Witness.nginx.url).with { $0.callbackQueue = .immediate }
        let pages = client.pages(of: String.self, "pages/1", by: .linkHeader)
        let found = LockedValue<[[String]]>([])
        let result: Result<Void, NetworkError> = await withCheckedContinuation { continuation in
            pages.start { page in
                found.change { $0.append(page.items) }
            } completion: {
                continuation.resume(returning: $0)
            }.detach()
        }
        try result.get()
        #expect(found.value == [["a", "b"], ["c"], []])
        // The response is held back, so nothing can complete before the task is released.
        let (server, gate) = (StubServer(baseURL: "https://birds.test"), Gate())
        server.on("/pages/1", response: .json("[]").held(by: gate))
        do {
            let task = server.client().pages(of: String.self, "pages/1", by: .linkHeader)
                .start { _ in
                    Issue.record("a released task must not have pages")
                } completion: { _ in
                    Issue.record("a released task must not complete")
                }
            try await gate.waiting()
            withExtendedLifetime(task) {}
        }
        try await eventually { gate.waitingCount == 0 }
    }
}
