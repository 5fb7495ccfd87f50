// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import Synchronization
import Testing

@Suite("Interceptor.cache", .timeLimit(.minutes(5)))
struct CacheStepTests {
    /// A server and a clock: sends responses in order, and records requests.
    final class Origin: Sendable {
        struct State {
            var answers: [TransportResponse] = []
            var failures = 0
            var asked: [TransportRequest] = []
            var now = Date(timeIntervalSince1970: Double(cacheStart) / 1000)
        }
        let state = Mutex(State())

        func next(_ request: TransportRequest) throws -> TransportResponse {
            try state.withLock { state in
                state.asked.append(request)
                guard !state.answers.isEmpty else {
                    throw TransportError(.cannotConnectToHost, phase: .connect, message: "the server is not reachable")
                }
                return state.answers.removeFirst()
            }
        }
        var asked: [TransportRequest] { state.withLock { $0.asked } }
        func wait(_ seconds: Double) { state.withLock { $0.now += seconds } }
        func answers(_ responses: TransportResponse...) { state.withLock { $0.answers += responses } }
        var time: TimeSource { TimeSource(clock: ContinuousClock()) { self.state.withLock { $0.now } } }
    }

    let origin = Origin()

    static func response(_ fields: [(String, String)], _ body: String = "") -> TransportResponse {
        response(200, fields, body)
    }

    static func response(_ status: Int, _ fields: [(String, String)], _ body: String = "") -> TransportResponse {
        TransportResponse(
            head: HTTPResponse(status: HTTPResponse.Status(code: status), headerFields: .sample(fields)),
            body: ResponseBody(Data(body.utf8)))
    }

    static func streamed(_ fields: [(String, String)], _ chunks: [String], failsAtEnd: Bool = false)
        -> TransportResponse
    {
        TransportResponse(
            head: HTTPResponse(status: .ok, headerFields: .sample(fields)),
            body: ResponseBody(Chunks(chunks: chunks.map { Data($0.utf8) }, failsAtEnd: failsAtEnd)))
    }

    struct Chunks: AsyncSequence, Sendable {
        typealias Element = Data
        typealias Failure = any Error
        let chunks: [Data]
        let failsAtEnd: Bool
        func makeAsyncIterator() -> Iterator { Iterator(chunks: chunks[...], failsAtEnd: failsAtEnd) }
        struct Iterator: AsyncIteratorProtocol {
            var chunks: ArraySlice<Data>
            let failsAtEnd: Bool
            mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
                if let chunk = chunks.popFirst() { return chunk }
                if failsAtEnd { throw TransportError(.networkConnectionLost, phase: .body, message: "cut") }
                return nil
            }
        }
    }

    func send(
        _ cache: HTTPCache, _ fields: [(String, String)] = [], method: HTTPRequest.Method = .get,
        path: String = "/x", strategy: CacheStrategy = .useProtocolCachePolicy, isStreamed: Bool = false,
        addsCredentialsLater: Bool = false
    ) async throws -> TransportResponse {
        let origin = origin
        let step = Interceptor.cache(
            cache, strategy: strategy, addsCredentialsLater: addsCredentialsLater, time: origin.time)
        let chain = [step].around { try origin.next($0) }
        var request = TransportRequest(
            head: HTTPRequest(
                method: method, scheme: "https", authority: "a.example", path: path, headerFields: .sample(fields)))
        if isStreamed { request.options.delivery = .streamed }
        return try await chain(request)
    }

    func text(_ response: TransportResponse) async throws -> String {
        String(decoding: try await response.body.collect(upTo: 1 << 20), as: UTF8.self)
    }

    static func said(_ response: TransportResponse) -> String {
        response.head.headerFields[CacheFields.cacheStatus] ?? ""
    }
    static func memory() -> HTTPCache { HTTPCache(CacheConfiguration(diskCapacity: 0)) }

    @Test("A response is stored and served until it is stale; Cache-Status reports each step")
    func hit() async throws {
        let cache = Self.memory()
        origin.answers(Self.response([("Cache-Control", "max-age=10"), ("A", "1")], "body"))
        let first = try await send(cache)
        #expect(Self.said(first) == "Simorgh; fwd=uri-miss; stored; ttl=10")
        origin.wait(4)
        let second = try await send(cache)
        #expect(try await text(second) == "body")
        #expect(Self.said(second) == "Simorgh; hit; ttl=6")
        #expect(second.head.headerFields[.age] == "4" && second.head.headerFields[.known("A")] == "1")
        #expect(second.attempts == 0)
        origin.wait(6)
        origin.answers(Self.response([], "new"))
        #expect(try await text(await send(cache)) == "new")
        #expect(origin.asked.count == 2)
    }

    @Test(
        "SMA11: with a stored ETag, a 304 returns the stored body; without the cache no condition is sent"
    )
    func validation() async throws {
        let cache = Self.memory()
        origin.answers(
            Self.response([("Cache-Control", "max-age=1"), ("ETag", "\"x\""), ("A", "1")], "body"),
            Self.response(304, [("Cache-Control", "max-age=9"), ("A", "2")]))
        _ = try await send(cache)
        origin.wait(5)
        let second = try await send(cache)
        #expect(try await text(second) == "body")
        #expect(second.head.status == .ok && second.head.headerFields[.known("A")] == "2")
        #expect(origin.asked[1].head.headerFields[.ifNoneMatch] == "\"x\"")
        #expect(Self.said(second) == "Simorgh; fwd=stale; fwd-status=304; ttl=9")
        origin.wait(8)
        #expect(Self.said(try await send(cache)) == "Simorgh; hit; ttl=1")
        origin.wait(8)
        origin.answers(Self.response([], "other"))
        _ = try await send(cache, strategy: .reloadIgnoringLocalCacheData)
        #expect(origin.asked[2].head.headerFields[.ifNoneMatch] == nil)
        #expect(origin.asked[2].head.headerFields[.cacheControl] == "no-cache")
    }

    @Test("SMA12: returnCacheDataDontLoad fails at once on a miss, and returns a stored response of any age")
    func dontLoad() async throws {
        let cache = Self.memory()
        let error = await #expect(throws: TransportError.self) {
            _ = try await send(cache, strategy: .returnCacheDataDontLoad)
        }
        #expect(error?.code == .cannotLoadFromNetwork && origin.asked.isEmpty)
        origin.answers(Self.response([], "old"))
        _ = try await send(cache, strategy: .returnCacheDataElseLoad)
        origin.wait(1e7)
        #expect(try await text(await send(cache, strategy: .returnCacheDataDontLoad)) == "old")
        #expect(origin.asked.count == 1)
        let refused = try await send(cache, [("Cache-Control", "only-if-cached")], path: "/y")
        #expect(refused.head.status == .gatewayTimeout && Self.said(refused) == "Simorgh; detail=only-if-cached")
        #expect(refused.cacheReport?.isHit == false && origin.asked.count == 1)
    }

    @Test("A cancelled task gets a cancellation error, not a cache miss")
    func cancelled() async throws {
        let cache = Self.memory()
        let gate = Gate()
        let task = Task {
            try? await gate.wait()
            return try await send(cache, strategy: .returnCacheDataDontLoad)
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(origin.asked.isEmpty)
    }

    @Test("A streamed body is stored only after it was read to its end")
    func streams() async throws {
        let cache = Self.memory()
        origin.answers(Self.streamed([("Cache-Control", "max-age=10")], ["ab", "cd"]))
        let first = try await send(cache, isStreamed: true)
        #expect(await cache.usage().memoryCount == 0)
        #expect(try await text(first) == "abcd")
        #expect(try await text(await send(cache, isStreamed: true)) == "abcd")
        #expect(origin.asked.count == 1)
        // Interrupted, shorter than Content-Length, and not read.
        origin.answers(
            Self.streamed([("Cache-Control", "max-age=10")], ["ab"], failsAtEnd: true),
            Self.streamed([("Cache-Control", "max-age=10"), ("Content-Length", "9")], ["ab"]),
            Self.streamed([("Cache-Control", "max-age=10")], ["ab", "cd"]), Self.response([], "end"))
        await #expect(throws: TransportError.self) {
            _ = try await text(await send(cache, path: "/y", isStreamed: true))
        }
        _ = try await text(await send(cache, path: "/y", isStreamed: true))
        do {
            let left = try await send(cache, path: "/y", isStreamed: true)
            var chunks = left.body.makeAsyncIterator()
            _ = try await chunks.next()
        }
        #expect(try await text(await send(cache, path: "/y")) == "end")
    }

    @Test("A range is served from a stored response, and a partial response is never stored as complete")
    func ranges() async throws {
        let cache = Self.memory()
        origin.answers(
            Self.response(206, [("Cache-Control", "max-age=10"), ("Content-Range", "bytes 0-1/5")], "01"),
            Self.response([("Cache-Control", "max-age=10")], "01234"))
        _ = try await send(cache, [("Range", "bytes=0-1")])
        _ = try await send(cache)
        #expect(origin.asked.count == 2)
        let part = try await send(cache, [("Range", "bytes=-2")])
        #expect(part.head.status == .partialContent)
        #expect(part.head.headerFields[CacheFields.contentRange] == "bytes 3-4/5")
        #expect(try await text(part) == "34")
    }

    @Test("A successful unsafe request invalidates the URL; a failed one does not")
    func invalidation() async throws {
        let cache = Self.memory()
        let fresh = Self.response([("Cache-Control", "max-age=10")], "x")
        origin.answers(fresh, Self.response(500, []), Self.response(204, []), fresh)
        _ = try await send(cache)
        _ = try await send(cache, method: .delete)
        #expect(Self.said(try await send(cache)).hasPrefix("Simorgh; hit"))
        #expect(Self.said(try await send(cache, method: .delete)) == "Simorgh; fwd=method")
        #expect(Self.said(try await send(cache)).hasPrefix("Simorgh; fwd=uri-miss"))
    }

    @Test("A response is never served to other credentials, nor if a step below the cache adds credentials")
    func credentials() async throws {
        let cache = Self.memory()
        let own = Self.response([("Cache-Control", "max-age=10")], "x")
        origin.answers(own, own, own, own)
        for token in ["one", "two", "one"] { _ = try await send(cache, [("Authorization", token)]) }
        #expect(origin.asked.count == 2)
        _ = try await send(cache)
        #expect(origin.asked.count == 3)
        let anonymous = try await send(cache, addsCredentialsLater: true)
        #expect(origin.asked.count == 4 && anonymous.cacheReport == nil)
        #expect(await cache.removeCredentialed() == 2)
        #expect(await cache.entries().map(\.url) == ["https://a.example/x"])
    }

    @Test(
        "Requests that the URL does not identify are not cached: a GET with a body, another Host, a client certificate"
    )
    func notNamed() async throws {
        let cache = Self.memory()
        let origin = origin
        var requests = [TransportRequest](
            repeating: TransportRequest(
                head: HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/x")), count: 3)
        requests[0].body = .bytes(Data("query".utf8))
        requests[1].head.headerFields = .sample([("Host", "b.example")])
        requests[2].options.tls.identity = TLSIdentity(certificates: .text(""))
        for request in requests {
            origin.answers(Self.response([("Cache-Control", "max-age=10")], "x"))
            let chain = [Interceptor.cache(cache, strategy: .useProtocolCachePolicy, time: origin.time)].around {
                try origin.next($0)
            }
            #expect(try await chain(request).head.headerFields[CacheFields.cacheStatus] == nil)
            let offline = [Interceptor.cache(cache, strategy: .returnCacheDataDontLoad, time: origin.time)].around {
                try origin.next($0)
            }
            await #expect(throws: TransportError.self) { _ = try await offline(request) }
        }
        #expect(await cache.usage() == CacheUsage())
        #expect(origin.asked.count == 3)
    }

    @Test("The age of an entry is measured with the cache's clock")
    func age() async throws {
        let cache = HTTPCache(CacheConfiguration(diskCapacity: 0), time: origin.time)
        origin.answers(Self.response([("Cache-Control", "max-age=10")], "x"))
        _ = try await send(cache)
        origin.wait(4)
        let entry = try #require(await cache.entries().first)
        #expect(entry.age == 4 && entry.secondsToLive == 6)
    }

    @Test("A partition, a URL or a tag can be purged")
    func purge() async throws {
        var configuration = CacheConfiguration(diskCapacity: 0)
        configuration.partition = .named("ann")
        let cache = HTTPCache(configuration)
        let tagged = Self.response([("Cache-Control", "max-age=10"), ("Cache-Tag", "birds, sky")], "x")
        origin.answers(tagged, tagged, tagged)
        for path in ["/a/b", "/a-b", "/c"] { _ = try await send(cache, path: path) }
        #expect(await cache.entries().count == 3)
        #expect(await cache.remove(url: "HTTPS://a.example:443/a-b") == 1)
        #expect(await cache.remove(partition: "bob") == 0)
        #expect(await cache.remove(tag: "fish") == 0)
        #expect(await cache.remove(tag: "sky") == 2)
        #expect(await cache.usage() == CacheUsage())
    }

    @Test("stale-while-revalidate: while a stale response is served, one request fetches a new one")
    func refresh() async throws {
        let cache = Self.memory()
        let fields = [("Cache-Control", "max-age=1, stale-while-revalidate=60"), ("ETag", "\"x\"")]
        origin.answers(Self.response(fields, "old"), Self.response(fields, "new"))
        _ = try await send(cache)
        origin.wait(5)
        let stale = try await send(cache)
        #expect(try await text(stale) == "old")
        #expect(Self.said(stale) == "Simorgh; hit; ttl=-4; detail=stale-while-revalidate")
        await cache.settled()
        #expect(try await text(await send(cache)) == "new")
        #expect(origin.asked.count == 2)
    }

    @Test("stale-if-error: a stale response replaces an unreachable server, within the window")
    func staleIfError() async throws {
        let cache = Self.memory()
        origin.answers(Self.response([("Cache-Control", "max-age=1, stale-if-error=60")], "old"))
        _ = try await send(cache)
        origin.wait(5)
        let stale = try await send(cache)
        #expect(try await text(stale) == "old")
        #expect(Self.said(stale) == "Simorgh; fwd=stale; ttl=-4; detail=stale-if-error")
        origin.wait(100)
        await #expect(throws: TransportError.self) { _ = try await send(cache) }
    }

    @Test(
        "stale-if-error: the window is measured when the request fails, also if that takes long",
        arguments: [false, true])
    func slowFailure(isAnswer: Bool) async throws {
        let cache = Self.memory()
        origin.answers(Self.response([("Cache-Control", "max-age=1, stale-if-error=60")], "old"))
        _ = try await send(cache)
        let origin = origin
        origin.wait(2)
        for (seconds, isStoodIn) in [(50.0, true), (20, false)] {
            let chain = [Interceptor.cache(cache, strategy: .useProtocolCachePolicy, time: origin.time)].around { _ in
                origin.wait(seconds)
                if isAnswer { return Self.response(503, []) }
                throw TransportError(.timedOut, phase: .head, message: "too late")
            }
            let request = TransportRequest(
                head: HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/x"))
            let response = try? await chain(request)
            #expect(response?.head.status.code == (isStoodIn ? 200 : isAnswer ? 503 : nil))
        }
    }

    @Test("A response from disk has the same fields and bytes as from the server")
    func disk() async throws {
        let folder = BlobStoreTests.Folder()
        let body = BlobStoreTests.bytes(700_000)
        let configuration = CacheConfiguration(memoryCapacity: 0, diskPath: folder.path)
        var response = Self.response([("Cache-Control", "max-age=10"), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")])
        response.body = ResponseBody(body)
        response.head.headerFields.append(HTTPField(name: .known("Raw"), lenientValue: [0x66, 0xFC]))
        origin.answers(response)
        do { _ = try await send(HTTPCache(configuration)) }
        let later = try await send(HTTPCache(configuration), isStreamed: true)
        #expect(try await later.body.collect(upTo: .max) == body)
        #expect(later.head.headerFields[values: .setCookie] == ["a=1", "b=2"])
        #expect(
            later.head.headerFields.first { $0.name == .known("Raw") }?.withUnsafeBytesOfValue { Array($0) } == [
                0x66, 0xFC,
            ])
        #expect(origin.asked.count == 1)
    }

    @Test("A damaged file is a miss: a request is sent, and the caller gets no error")
    func damaged() async throws {
        let folder = BlobStoreTests.Folder()
        let configuration = CacheConfiguration(memoryCapacity: 0, diskPath: folder.path)
        origin.answers(
            Self.response([("Cache-Control", "max-age=10")], "first"),
            Self.response([("Cache-Control", "max-age=10")], "second"))
        do { _ = try await send(HTTPCache(configuration)) }
        let file = try #require(folder.files.first)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: URL(fileURLWithPath: file))
        #expect(try await text(await send(HTTPCache(configuration))) == "second")
    }

    @Test("A stored body larger than the call's limit is an error, like a body from the server")
    func tooLarge() async throws {
        let cache = Self.memory()
        origin.answers(Self.response([("Cache-Control", "max-age=10")], "12345"))
        _ = try await send(cache)
        let origin = origin
        let chain = [Interceptor.cache(cache, strategy: .useProtocolCachePolicy, time: origin.time)].around {
            try origin.next($0)
        }
        var request = TransportRequest(
            head: HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/x"))
        request.options.delivery = .collected(upTo: 4)
        let error = await #expect(throws: TransportError.self) { _ = try await chain(request) }
        #expect(error?.code == .dataLengthExceedsMaximum)
    }
}
