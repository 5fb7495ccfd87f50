// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCompatibility
import SimorghCore
import Synchronization
import Testing

@Suite("AppCache", .timeLimit(.minutes(5)))
struct AppCacheTests {
    let origin = CacheStepTests.Origin()
    let folder = BlobStoreTests.Folder()

    func cache(_ change: (inout AppCacheConfiguration) -> Void = { _ in }) -> AppCache {
        var configuration = AppCacheConfiguration()
        configuration.diskPath = folder.path
        configuration.sweepsAtStart = false
        change(&configuration)
        return AppCache(configuration, time: origin.time)
    }

    /// Sends one request: the code of ``APIClient`` around the step.
    func get(
        _ cache: AppCache, _ path: String = "/x", _ level: CachingLevel = .memoryAndFile,
        kind: AppCacheKey.Kind = .answer, name: String? = nil, host: String = "a.example",
        fields: [(String, String)] = []
    ) async throws -> (status: Int, text: String) {
        let ticket = AppCacheTicket(cache, level: level, kind: kind, name: name)
        let origin = origin
        let chain = [Interceptor.appCache(ticket, addsCredentialsLater: false)].around { try origin.next($0) }
        let response = try await chain(
            TransportRequest(
                head: HTTPRequest(
                    method: .get, scheme: "https", authority: host, path: path, headerFields: .sample(fields))))
        let body = try await response.body.collect(upTo: 1 << 20)
        let status = response.head.status.code
        if let entry = ticket.entry, !entry.isHit {
            await cache.store(
                entry.key, level: level, status: status, fields: response.head.headerFields, body: body,
                since: entry.moment, for: entry.request)
        }
        return (status, String(decoding: body, as: UTF8.self))
    }

    func answers(_ texts: String...) {
        for text in texts { origin.answers(CacheStepTests.response([("A", text)], text)) }
    }

    @Test("NET6: with .memory the second response is the first; .none neither reads, writes nor purges")
    func levels() async throws {
        let cache = cache()
        answers("1", "2", "3")
        #expect(try await get(cache, level: .memory) == "1")
        #expect(try await get(cache, level: .memory) == "1")
        #expect(try await get(cache, level: .none) == "2")
        #expect(try await get(cache, level: .memory) == "1")
        #expect(await cache.usage().diskCount == 0 && folder.files.isEmpty)
        let empty = self.cache { $0.diskPath = folder.path + "/other" }
        #expect(try await get(empty, level: .none) == "3")
        #expect(await empty.usage() == CacheUsage())
    }

    private func get(_ cache: AppCache, level: CachingLevel) async throws -> String {
        try await get(cache, "/x", level).text
    }

    @Test("NET7: keys differ by parameter, by its encoding and by host; a hit has the status and the fields")
    func keys() async throws {
        let cache = cache()
        answers("1", "2", "3", "4")
        #expect(try await get(cache, "/x?a=1%26b").text == "1")
        #expect(try await get(cache, "/x?a=1&b").text == "2")
        #expect(try await get(cache, "/x?a=1%26b", host: "b.example").text == "3")
        #expect(try await get(cache, "/x?a=1%26b", fields: [("Authorization", "t")]).text == "4")
        #expect(try await get(cache, "/x?a=1%26b").text == "1")
        origin.answers(CacheStepTests.response(201, [("A", "b")], "made"))
        #expect(try await get(cache, "/y") == (201, "made"))
        #expect(try await get(cache, "/y") == (201, "made"))
        #expect(origin.asked.count == 5)
    }

    @Test("NET8: an expired entry is a miss and is removed, also from its file; a hit extends its lifetime")
    func timeToLive() async throws {
        var cache: AppCache? = cache { $0.timeToLive = .seconds(1000) }
        answers("1", "2", "3")
        if let cache {
            #expect(try await get(cache).text == "1")
            for _ in 0..<5 {
                origin.wait(900)
                #expect(try await get(cache).text == "1")
            }
        }
        // The next run of the program reads the time of the last use from the file.
        cache = nil
        let next = self.cache { $0.timeToLive = .seconds(1000) }
        origin.wait(900)
        #expect(try await get(next).text == "1")
        origin.wait(1000)
        #expect(try await get(next).text == "2")
        let fixed = self.cache {
            $0.timeToLive = .seconds(1000)
            $0.expiry = .fixed
            $0.diskPath = folder.path + "/fixed"
        }
        #expect(try await get(fixed).text == "3")
        origin.wait(900)
        #expect(try await get(fixed).text == "3")
        origin.wait(100)
        await #expect(throws: TransportError.self) { _ = try await get(fixed) }
        #expect(await fixed.usage() == CacheUsage())
    }

    @Test("NET8: reading with .memory or .none never removes the file, and removeAll() empties both tiers")
    func files() async throws {
        var first: AppCache? = cache { $0.timeToLive = .seconds(1000) }
        answers("1", "2")
        if let first { _ = try await get(first) }
        first = nil
        let next = cache { $0.timeToLive = .seconds(1000) }
        origin.wait(5000)
        #expect(
            await next.found(AppCacheKey(.answer, partition: "", name: "https://a.example/x"), level: .memory) == nil)
        #expect(await next.found(AppCacheKey(.answer, partition: "", name: "https://a.example/x"), level: .none) == nil)
        #expect(folder.files.count == 1)
        #expect(try await get(next).text == "2")
        await next.removeAll()
        #expect(folder.files.isEmpty)
        #expect(await next.usage() == CacheUsage())
    }

    @Test("NET8: names of 300 characters that differ in the last one are distinct entries")
    func longNames() async throws {
        let cache = cache()
        let name = String(repeating: "é", count: 300)
        answers("1", "2")
        #expect(try await get(cache, name: name + "a").text == "1")
        #expect(try await get(cache, name: name + "b").text == "2")
        #expect(try await get(cache, name: name + "a").text == "1")
    }

    @Test("NET9: a 404 is not stored; /a/b and /a-b are distinct; data and responses are separate")
    func apart() async throws {
        let cache = cache()
        origin.answers(CacheStepTests.response(404, [], "no"), CacheStepTests.response(404, [], "no"))
        #expect(try await get(cache, kind: .data).status == 404)
        #expect(try await get(cache, kind: .data).status == 404)
        answers("1", "2", "3")
        #expect(try await get(cache, "/a/b", kind: .data).text == "1")
        #expect(try await get(cache, "/a-b", kind: .data).text == "2")
        #expect(try await get(cache, "/a/b", kind: .answer).text == "3")
        #expect(try await get(cache, "/a/b", kind: .data).text == "1")
    }

    @Test("Two caches of a process with the same folder share both tiers, and report that they use the disk")
    func sameFolder() async throws {
        let one = cache(), other = cache { $0.diskPath = folder.path + "/./" }
        #expect(await one.usesDisk)
        #expect(await other.usesDisk)
        for level in [CachingLevel.memory, .memoryAndFile] {
            for (number, cache) in [one, other].enumerated() {
                try await cache.set(number, for: "n", level: level)
                for cache in [one, other] { #expect(await cache.value(Int.self, for: "n", level: level) == number) }
            }
        }
        await one.removeAll()
        #expect(await other.value(Int.self, for: "n") == nil)
        let elsewhere = cache {
            $0.diskPath = folder.path
            $0.encryptionKey = .random()
        }
        #expect(await !elsewhere.usesDisk, "a cache with another key does not use the folder")
        let without = cache { $0.diskCapacity = 0 }
        #expect(await !without.usesDisk)
        _ = (one, other)
    }

    @Test("A partial response is not stored as complete, and a range is not served from a stored response")
    func parts() async throws {
        let cache = cache()
        origin.answers(
            CacheStepTests.response(206, [("Content-Range", "bytes 0-1/5")], "01"),
            CacheStepTests.response(206, [("Content-Range", "bytes 0-1/5")], "01"),
            CacheStepTests.response([], "01234"), CacheStepTests.response(206, [], "34"))
        #expect(try await get(cache, kind: .data, fields: [("Range", "bytes=0-1")]).text == "01")
        // This request has no Range field.
        #expect(try await get(cache, kind: .data).text == "01")
        #expect(try await get(cache, kind: .data).text == "01234")
        #expect(try await get(cache, kind: .data).text == "01234")
        #expect(try await get(cache, kind: .data, fields: [("Range", "bytes=-2")]) == (206, "34"))
    }

    @Test("A response selected by Vary is served only to matching requests, unless the entry has a name")
    func chosen() async throws {
        let cache = cache()
        let vary = [("Vary", "X-Tenant, Authorization")]
        origin.answers(
            CacheStepTests.response(vary, "a"), CacheStepTests.response(vary, "b"), CacheStepTests.response(vary, "c"))
        let fields = ["one", "two"].map { [("X-Tenant", $0)] }
        for _ in 0..<2 { #expect(try await get(cache, fields: fields[0]).text == "a") }
        let key = AppCacheKey(.answer, partition: "", name: "https://a.example/x")
        for level in [CachingLevel.memory, .memoryAndFile] {
            #expect(await cache.found(key, level: level, for: .sample(fields[1])) == nil)
        }
        for _ in 0..<2 { #expect(try await get(cache, fields: fields[1]).text == "b") }
        for tenant in fields { #expect(try await get(cache, name: "mine", fields: tenant).text == "c") }
    }

    @Test("A hit reports the AppCache in Cache-Status instead of the stored report of the HTTP cache")
    func said() async throws {
        let cache = cache()
        origin.answers(CacheStepTests.response([("Cache-Status", "Simorgh; fwd=uri-miss; stored; ttl=9")], "x"))
        _ = try await get(cache)
        let ticket = AppCacheTicket(cache, level: .memoryAndFile, kind: .answer, name: nil)
        let chain = [Interceptor.appCache(ticket, addsCredentialsLater: false)].around { [origin] in
            try origin.next($0)
        }
        let response = try await chain(
            TransportRequest(head: HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/x")))
        #expect(CacheStepTests.said(response) == "Simorgh; hit; detail=application")
        #expect(response.head.headerFields[values: CacheFields.cacheStatus].count == 1)
    }

    @Test("staleFallback: an expired entry replaces a failed request, within the configured time")
    func staleFallback() async throws {
        let cache = cache {
            $0.timeToLive = .seconds(10)
            $0.staleFallback = .seconds(100)
        }
        answers("1")
        #expect(try await get(cache).text == "1")
        origin.wait(50)
        #expect(try await get(cache).text == "1")
        #expect(origin.asked.count == 2, "the request is sent first")
        answers("2")
        #expect(try await get(cache).text == "2")
        origin.wait(110)
        await #expect(throws: TransportError.self) { _ = try await get(cache) }
    }

    @Test(
        "The response that replaces an expired entry is stored at once",
        arguments: [CachingLevel.memory, .memoryAndFile])
    func renewed(level: CachingLevel) async throws {
        let cache = cache { $0.timeToLive = .seconds(10) }
        answers("1", "2", "3")
        for text in ["1", "2", "3"] {
            for _ in 0..<3 { #expect(try await get(cache, level: level) == text) }
            origin.wait(20)
        }
        #expect(origin.asked.count == 3)
    }

    @Test("maximumAge: an entry expires however often it is used")
    func maximumAge() async throws {
        let cache = cache {
            $0.timeToLive = .seconds(100)
            $0.maximumAge = .seconds(250)
        }
        answers("1", "2")
        for _ in 0..<5 {
            #expect(try await get(cache).text == "1")
            origin.wait(50)
        }
        #expect(try await get(cache).text == "2")
    }

    @Test("A response is not stored if its entry was removed while it was fetched")
    func forgottenMeanwhile() async throws {
        let cache = cache()
        let key = AppCacheKey(.answer, partition: "", name: "https://a.example/x")
        let moment = cache.moment(key)
        await cache.removeAll()
        await cache.store(key, level: .memoryAndFile, status: 200, fields: HTTPFields(), body: Data([1]), since: moment)
        #expect(await cache.found(key, level: .memoryAndFile) == nil && folder.files.isEmpty)
    }

    @Test("A removed entry does not reappear because of a concurrent read of its file", arguments: [false, true])
    func forgottenWhileRead(isPartition: Bool) async throws {
        let key = AppCacheKey(.answer, partition: "n:ann", name: "https://a.example/x")
        for _ in 0..<50 {
            // A new cache has nothing in memory, so it reads the file.
            let folder = BlobStoreTests.Folder()
            var first: AppCache? = cache { $0.diskPath = folder.path }
            await first?.store(key, level: .memoryAndFile, status: 200, fields: HTTPFields(), body: Data([1]))
            _ = await first?.usage()
            first = nil
            let next = cache { $0.diskPath = folder.path }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<5 { _ = await next.found(key, level: .memoryAndFile) }
                    }
                }
                group.addTask {
                    if isPartition { await next.remove(partition: "ann") } else { await next.removeAll() }
                }
            }
            #expect(await next.found(key, level: .memoryAndFile) == nil)
            #expect(await next.usage().memoryCount == 0)
        }
    }

    @Test("A value read from a file does not replace a value stored meanwhile")
    func keptWhileRead() async throws {
        for _ in 0..<50 {
            let folder = BlobStoreTests.Folder()
            var first: AppCache? = cache { $0.diskPath = folder.path }
            try await first?.set(1, for: "n")
            first = nil
            let next = cache { $0.diskPath = folder.path }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { _ = await next.value(Int.self, for: "n") } }
                group.addTask { try await next.set(2, for: "n") }
                try await group.waitForAll()
            }
            #expect(await next.value(Int.self, for: "n") == 2)
        }
    }

    @Test(
        "Removing an expired value does not remove a value stored meanwhile",
        arguments: [CachingLevel.memory, .memoryAndFile])
    func keptWhileOver(level: CachingLevel) async throws {
        let cache = cache { $0.timeToLive = .seconds(10) }
        for round in 0..<50 {
            let name = "\(round)"
            try await cache.set(1, for: name, level: level)
            origin.wait(20)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { _ = await cache.value(Int.self, for: name, level: level) } }
                group.addTask { try await cache.set(2, for: name, level: level) }
                try await group.waitForAll()
            }
            #expect(await cache.value(Int.self, for: name, level: level) == 2)
        }
    }

    @Test("A concurrent read does not restore the old value while a new one outgrows the memory")
    func outgrown() async throws {
        let cache = cache { $0.memoryCapacity = 64 * 1024 }
        let (small, large) = (Data(repeating: 1, count: 100), Data(repeating: 2, count: 4 * 1024 * 1024))
        for round in 0..<6 {
            let name = "\(round)"
            try await cache.set(small, for: name)
            let reading = Task {
                while !Task.isCancelled {
                    _ = await cache.value(Data.self, for: name)
                    // A value in memory is returned without suspension.
                    await Task.yield()
                }
            }
            try await cache.set(large, for: name)
            reading.cancel()
            await reading.value
            #expect(await cache.value(Data.self, for: name) == large)
        }
    }

    @Test("removeExpired() removes expired entries and keeps the others")
    func sweep() async throws {
        let cache = cache { $0.timeToLive = .seconds(1000) }
        answers("1", "2")
        _ = try await get(cache, "/old")
        origin.wait(900)
        _ = try await get(cache, "/new")
        origin.wait(200)
        await cache.removeExpired()
        #expect(await cache.usage().diskCount == 1 && folder.files.count == 1)
    }

    @Test("Values are stored by name, separate from URLs, and read only as their own type")
    func values() async throws {
        let cache = cache()
        try await cache.set(["a": 1], for: "https://a.example/x")
        #expect(await cache.value([String: Int].self, for: "https://a.example/x") == ["a": 1])
        #expect(await cache.value(String.self, for: "https://a.example/x") == nil)
        #expect(
            await cache.found(AppCacheKey(.answer, partition: "", name: "https://a.example/x"), level: .memoryAndFile)
                == nil)
        await cache.removeValue(for: "https://a.example/x")
        #expect(await cache.value([String: Int].self, for: "https://a.example/x") == nil)
        // Bytes are stored unchanged, even if they look like an encoded value.
        let bytes = Data("[\"text\"]".utf8)
        try await cache.set(bytes, for: "b")
        #expect(await cache.value(Data.self, for: "b") == bytes)
        #expect(await cache.value(String.self, for: "b") == nil)
        #expect(await cache.found(AppCacheKey(.value, partition: "", name: "b"), level: .memoryAndFile)?.body == bytes)
        try await cache.set("text", for: "t", level: .memory)
        #expect(await cache.value(String.self, for: "t", level: .memory) == "text")
    }
}
