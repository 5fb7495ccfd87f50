// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghTesting
import SimorghURLSession
import Testing

@Suite("Reference: caching", .timeLimit(.minutes(5)))
struct CacheSnippets {
    @Test("returnCacheDataElseLoad sends one request, and a reload strategy sends another")
    func strategies() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("simorgh-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let (client, transport) = Reference.client {
            $0.cacheStrategy = .returnCacheDataElseLoad
        } answer: { _ in
            .text("hello").header(.cacheControl, value: "max-age=60")
        }
        // Custom URLCache
        client.updateCacheConfiguration(
            CacheConfiguration(
                memoryCapacity: 20 * 1024 * 1024,  // 20 MB
                diskCapacity: 100 * 1024 * 1024,  // 100 MB
                diskPath: folder.path  // nil on the page; a test leaves nothing behind
            ))
        for _ in 0..<2 {
            #expect(try await client.call(.get, "https://api.example.com/").data() == Data("hello".utf8))
        }
        #expect(transport.requestCount == 1)
        // Runtime update
        client.updateDefaultCacheStrategy(.reloadIgnoringLocalCacheData)
        _ = try await client.call(.get, "https://api.example.com/").data()
        #expect(transport.requestCount == 2)
    }

    @Test("returnCacheDataDontLoad fails if the cache has no response")
    func cacheOnly() async throws {
        let (client, transport) = Reference.client {
            $0.cacheStrategy = .returnCacheDataDontLoad
            $0.caching.httpCache = HTTPCache(CacheConfiguration(diskCapacity: 0))
        } answer: { _ in
            .text("hello")
        }
        await #expect(throws: NetworkError.self) { try await client.call(.get, "https://api.example.com/").data() }
        #expect(transport.requestCount == 0)
    }
}
