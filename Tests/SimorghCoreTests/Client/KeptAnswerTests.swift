// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

@Suite("Answers from memory before a call waits for anything", .timeLimit(.minutes(5)))
struct KeptAnswerTests {
    /// With a step of the user's own each call goes through the whole chain.
    @Test("A hit is the same with steps above the cache and without", arguments: [false, true])
    func same(hasSteps: Bool) async throws {
        let transport = ScriptedTransport()
        transport.on("/x", .text("body").header(.cacheControl, "max-age=60").header(.eTag, "\"1\""))
        let client = APIClient.scripted(transport) {
            $0.cache = CachedClientTests.memory()
            if hasSteps { $0.interceptors = [Interceptor { request, next in try await next(request) }] }
        }
        for isHit in [false, true, true] {
            let response = try await client.call(.get, "x").response().response
            #expect(response.statusCode == 200 && response.body == Data("body".utf8))
            #expect(response.cacheReport?.isHit == isHit)
            #expect(response.headers.has(CacheFields.cacheStatus) && response.headers.has(.age) == isHit)
            #expect(response.headers[values: CacheFields.cacheStatus].count == 1)
        }
        #expect(transport.requestCount == 1)
    }

    @Test("A redirect that is kept is followed")
    func redirect() async throws {
        let transport = ScriptedTransport()
        transport.on(
            "/x",
            .text("moved", status: .movedPermanently).header(.location, "/y").header(.cacheControl, "max-age=60"))
        transport.on("/y", .text("body").header(.cacheControl, "max-age=60"))
        let client = APIClient.scripted(transport) { $0.cache = CachedClientTests.memory() }
        for _ in 0..<2 {
            let data = try await client.call(.get, "x").data()
            #expect(data == Data("body".utf8))
        }
        #expect(transport.requestCount == 2)
    }
}
