// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import Synchronization
import TestSupport
import Testing

/// Random histories of the whole cache, including its store, against a server that records each of its responses.
///
/// The reference is a list of each response's content, user, time and freshness lifetime, and of the changes since.
/// Each response names the reference entry it was made from, so the test can look up whether the cache was allowed to
/// serve it.
@Suite("HTTPCache and BlobStore: random histories against a model", .timeLimit(.minutes(60)))
struct CacheHistoryTests {
    /// The number of steps of a thorough run: `SIMORGH_CACHE_STEPS`, or a million with `SIMORGH_THOROUGH=1`.
    static let thoroughSteps: Int = {
        let environment = ProcessInfo.processInfo.environment
        if let steps = Int(environment["SIMORGH_CACHE_STEPS"] ?? "") { return steps }
        return environment["SIMORGH_THOROUGH"] == "1" ? 1_000_000 : 0
    }()
    static let steps = max(4000, thoroughSteps)

    @Test(
        "Random requests, changes, crashes and file damage never produce a response that the model forbids",
        arguments: 0..<4)
    func histories(seed: Int) async throws {
        var history = CacheHistory(seed: UInt64(seed) + 1)
        for _ in 0..<Self.steps / 4 {
            if let objection = try await history.step() {
                Issue.record("step \(history.steps) of seed \(seed): \(objection)")
                return
            }
        }
        // Without this check, a cache that never serves a response would pass.
        #expect(
            history.hits > Self.steps / 100 && history.validations > 0 && history.crashes > 0,
            "the history has hits, validations and crashes")
    }
}

/// One random history.
struct CacheHistory {
    /// One response of the server.
    struct Saying {
        let url: Int, user: Int, language: Int
        /// The version of the URL's content that the response shows.
        let version: Int
        /// The number of responses before it, and the number of bytes after its first word.
        let number: Int, count: Int
        let vary: Bool, noStore: Bool, isWhole: Bool
        var noCache: Bool, mustRevalidate: Bool
        /// The time of the response or of its last confirmation, and its freshness lifetime from then on, in
        /// milliseconds.
        var since: Int64
        var lifetime: Int64
        var ifError: Int64
        /// The number of changes of the URL before the response.
        var changes: Int

        private static let filler = BlobStoreTests.bytes(100_000)

        /// A different body for each response.
        var body: Data {
            let place = number * 7919 % 9973
            return Data("\(number) \(url) \(user) \(language) \(version) ".utf8) + Self.filler[place..<place + count]
        }

        var tag: String { "\"\(url)-\(user)-\(language)-\(version)\"" }

        /// True if the other response has the same entity tag.
        ///
        /// Called for hundreds of responses, so it creates no strings.
        func isTagged(like other: Saying) -> Bool {
            version == other.version && url == other.url && user == other.user && language == other.language
        }
    }

    private var random: SeededNumbers
    private let origin = CacheStepTests.Origin()
    private var folder = BlobStoreTests.Folder.inMemory()
    private var cache: HTTPCache
    private var capacities: (memory: Int, disk: Int)
    private var sayings: [Saying] = []
    private var versions = [0, 0, 0]
    private var changes = [0, 0, 0]
    private var now = cacheStart
    private(set) var steps = 0, hits = 0, validations = 0, crashes = 0
    /// Bodies that are partly read, each with the reference entry that is stored once its body is read to the end.
    private var halves: [(saying: Int?, response: TransportResponse, chunks: ResponseBody.Iterator)] = []

    init(seed: UInt64) {
        random = SeededNumbers(seed)
        capacities = (0, 4 << 20)
        cache = HTTPCache(CacheConfiguration(memoryCapacity: 0, diskCapacity: 4 << 20, diskPath: folder.path))
    }

    /// Performs one step.
    ///
    /// - Returns: A description of the violation, or `nil`.
    mutating func step() async throws -> String? {
        steps += 1
        let wait = Int64.random(in: 0...3000, using: &random)
        now += wait
        origin.wait(Double(wait) / 1000)
        switch Int.random(in: 0..<100, using: &random) {
        case 0: try crash()
        case 1: await cache.removeAll()
        case 2..<10: return try await change()
        case 10..<14: await finish()
        default: return try await get()
        }
        return nil
    }

    // MARK: Requests

    private mutating func get() async throws -> String? {
        let url = Int.random(in: 0..<3, using: &random), user = Int.random(in: 0..<2, using: &random)
        let language = Int.random(in: 0..<2, using: &random)
        let isHead = chance(12)
        let controls = ["", "", "", "no-cache", "max-age=2", "max-stale=3", "no-store"]
        let control = isHead ? "" : controls.randomElement(using: &random) ?? ""
        var fields = [("Authorization", "\(user)"), ("Accept-Language", "\(language)")]
        if !control.isEmpty { fields.append(("Cache-Control", control)) }
        var saying = said(url, user, language)
        let fails = chance(10), confirms = chance(2)
        var request = TransportRequest(
            head: HTTPRequest(
                method: isHead ? .head : .get, scheme: "https", authority: "a.example", path: "/\(url)",
                headerFields: .sample(fields)))
        if chance(2) { request.options.delivery = .streamed }
        let server = Server()
        let chain = [Interceptor.cache(cache, strategy: .useProtocolCachePolicy, time: origin.time)].around {
            [saying, now] request in try server.answer(request, saying, now, fails: fails, confirms: confirms)
        }
        let response: TransportResponse
        do {
            response = try await chain(request)
        } catch {
            return fails ? nil : "an error: \(error)"
        }
        switch server.did {
        case .said:
            saying.changes = changes[url]
            sayings.append(saying)
        case .confirmed:
            validations += 1
            confirm(saying)
        case .described: confirm(saying)
        case .nothing: hits += 1
        case .failed: break
        }
        guard !isHead else { return nil }
        if chance(10), case .streamed = request.options.delivery {
            var chunks = response.body.makeAsyncIterator()
            _ = try? await chunks.next()
            halves.append((server.did == .said ? sayings.count - 1 : nil, response, chunks))
            if halves.count > 4 { halves.removeFirst() }
            return nil
        }
        guard let body = try? await response.body.collect(upTo: 1 << 20) else {
            return saying.isWhole || server.did != .said ? "a body breaks off" : nil
        }
        if server.did == .failed, response.head.status == .serviceUnavailable { return nil }
        return objection(to: body, url, user, language, control, server.did)
    }

    private func objection(
        to body: Data, _ url: Int, _ user: Int, _ language: Int, _ control: String, _ did: Server.Deed
    ) -> String? {
        let word = String(decoding: body.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
        guard let index = Int(word), sayings.indices.contains(index), sayings[index].body == body else {
            return "the server never sent this body"
        }
        let truth = sayings[index]
        if did == .said { return index == sayings.count - 1 ? nil : "the server sent another response" }
        guard truth.url == url, truth.user == user else { return "it belongs to another URL or user" }
        guard !truth.vary || truth.language == language else { return "it is another variant (Vary)" }
        guard !truth.noStore, truth.isWhole else { return "it must not be stored" }
        if did == .confirmed { return truth.version == versions[url] ? nil : "it changed, but was confirmed" }
        guard truth.changes == changes[url] else { return "it changed since it was stored" }
        let stale = now - truth.since - truth.lifetime
        if did == .failed {
            let isAllowed = stale <= truth.ifError && !truth.mustRevalidate && !truth.noCache && control != "no-cache"
            return isAllowed ? nil : "stale-if-error does not allow it"
        }
        guard !truth.noCache, control != "no-cache", control != "no-store" else { return "it required validation" }
        guard control != "max-age=2" || now - truth.since <= 2000 else { return "it is older than max-age allows" }
        let isAccepted = control == "max-stale=3" && stale <= 3000 && !truth.mustRevalidate
        return stale < 0 || isAccepted ? nil : "it is stale by \(stale)"
    }

    /// Returns the server's current response for a user and a language.
    private mutating func said(_ url: Int, _ user: Int, _ language: Int) -> Saying {
        // The response may have spent some time in another cache.
        let age: Int64 = chance(4) ? .random(in: 0...5, using: &random) : 0
        return Saying(
            url: url, user: user, language: language, version: versions[url], number: sayings.count,
            count: .random(in: 0...(chance(16) ? 90_000 : 400), using: &random),
            vary: url > 0, noStore: chance(8), isWhole: !chance(12), noCache: chance(8), mustRevalidate: chance(3),
            since: now - age * 1000, lifetime: .random(in: 0...20, using: &random) * 1000,
            ifError: .random(in: 0...20, using: &random) * 1000, changes: changes[url])
    }

    private mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    /// Renews the freshness of the confirmed response with the directives of the current one.
    private mutating func confirm(_ saying: Saying) {
        // No cache still holds older responses.
        for index in sayings.indices.suffix(400) where sayings[index].isTagged(like: saying) {
            // Partly read responses are not in the cache yet; they are stored with their original directives.
            if halves.contains(where: { $0.saying == index }) { continue }
            sayings[index].since = now
            sayings[index].lifetime = saying.lifetime
            sayings[index].ifError = saying.ifError
            sayings[index].changes = changes[saying.url]
            (sayings[index].noCache, sayings[index].mustRevalidate) = (false, false)
        }
    }

    /// Reads a partly read body to its end.
    private mutating func finish() async {
        guard !halves.isEmpty else { return }
        var (_, _, chunks) = halves.removeFirst()
        while let _ = try? await chunks.next() {}
    }

    // MARK: Changes

    private mutating func change() async throws -> String? {
        let url = Int.random(in: 0..<3, using: &random)
        let isDone = !chance(4)
        let request = TransportRequest(
            head: HTTPRequest(
                method: chance(2) ? .post : .delete, scheme: "https", authority: "a.example", path: "/\(url)",
                headerFields: .sample([("Authorization", "\(Int.random(in: 0..<3, using: &random))")])))
        let chain = [Interceptor.cache(cache, strategy: .useProtocolCachePolicy, time: origin.time)].around { _ in
            CacheStepTests.response(isDone ? 204 : 409, [])
        }
        _ = try await chain(request)
        if isDone {
            versions[url] += 1
            changes[url] += 1
        }
        return nil
    }

    /// Ends the process in the middle of its work and starts another on the same disk, part of which is damaged.
    private mutating func crash() throws {
        crashes += 1
        let next = try folder.copy()
        halves = []
        for file in next.files where chance(6) {
            guard var bytes = try? Data(contentsOf: URL(fileURLWithPath: file)), !bytes.isEmpty else { continue }
            if chance(2) {
                bytes = bytes.prefix(Int.random(in: 0..<bytes.count, using: &random))
            } else {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
            }
            try bytes.write(to: URL(fileURLWithPath: file))
        }
        folder = next
        capacities = (chance(2) ? 0 : 1 << 20, chance(2) ? 1 << 20 : 4 << 20)
        cache = HTTPCache(
            CacheConfiguration(
                memoryCapacity: capacities.memory, diskCapacity: capacities.disk, diskPath: folder.path))
    }
}

/// Sends one response and records which kind it was.
private final class Server: Sendable {
    enum Deed: Sendable {
        /// The server received no request.
        case nothing
        case said, confirmed, failed
        /// The server received a HEAD request.
        case described
    }

    private let state = Mutex(Deed.nothing)
    var did: Deed { state.withLock { $0 } }

    func answer(
        _ request: TransportRequest, _ saying: CacheHistory.Saying, _ now: Int64, fails: Bool, confirms: Bool
    ) throws -> TransportResponse {
        if fails {
            state.withLock { $0 = .failed }
            return CacheStepTests.response(503, [])
        }
        var control = ["max-age=\(saying.lifetime / 1000)", "stale-if-error=\(saying.ifError / 1000)"]
        if saying.noStore { control.append("no-store") }
        if saying.noCache { control.append("no-cache") }
        if saying.mustRevalidate { control.append("must-revalidate") }
        var fields = [("ETag", saying.tag), ("Cache-Control", control.joined(separator: ", "))]
        if saying.vary { fields.append(("Vary", "Accept-Language")) }
        let news = [("ETag", saying.tag), ("Cache-Control", control.prefix(2).joined(separator: ", "))]
        if confirms, request.head.headerFields[.ifNoneMatch] == saying.tag {
            // A 304 changes only the freshness lifetime; the other directives stay.
            state.withLock { $0 = .confirmed }
            return CacheStepTests.response(304, news)
        }
        guard request.head.method == .get else {
            state.withLock { $0 = .described }
            return CacheStepTests.response(200, saying.vary ? news + [("Vary", "Accept-Language")] : news)
        }
        state.withLock { $0 = .said }
        let age = (now - saying.since) / 1000
        if age > 0 { fields.append(("Age", "\(age)")) }
        let body = saying.body
        fields.append(("Content-Length", "\(saying.isWhole ? body.count : body.count + 1)"))
        var response = CacheStepTests.response(fields)
        if case .streamed = request.options.delivery {
            let middle = body.count / 2
            response.body = ResponseBody(
                CacheStepTests.Chunks(
                    chunks: [body.prefix(middle), body.dropFirst(middle)], failsAtEnd: !saying.isWhole))
        } else {
            response.body = ResponseBody(body)
        }
        return response
    }
}
