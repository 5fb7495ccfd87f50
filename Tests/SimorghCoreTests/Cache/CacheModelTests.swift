// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import TestSupport
import Testing

/// Random histories of one URL against a reference that records each response and knows what a cache may serve.
///
/// The reference makes no decisions. For each response it knows the time of generation, the freshness lifetime and the
/// restrictions, so it can check that serving from the cache was allowed, but not that it was the best choice.
@Suite("CacheDecision and CacheUpdateDecision: random histories against a model", .timeLimit(.minutes(60)))
struct CacheModelTests {
    /// A response as the server sent it.
    struct Truth {
        let body: Int
        let made: Int64
        /// In seconds; the server always sends it.
        let lifetime: Int64
        let noStore: Bool
        let noCache: Bool
        let mustRevalidate: Bool
        let whileRevalidating: Int64
        let ifError: Int64
        let variant: Int
        let vary: Bool
        let tag: Int?
    }

    @Test(
        "A response from the cache never violates the directives of the stored response or of the request",
        arguments: 0..<10)
    func histories(seed: Int) {
        var random = SeededNumbers(UInt64(seed))
        var now = cacheStart
        var stored: [(response: StoredResponse, truth: Truth)] = []
        var version = 0
        var hits = 0
        for _ in 0..<max(1000, CacheHistoryTests.thoroughSteps / 10) {
            now += Int64.random(in: 0...4000, using: &random)
            let language = Int.random(in: 0...1, using: &random)
            let control =
                ["", "", "", "no-cache", "max-age=2", "min-fresh=2", "max-stale=3", "only-if-cached", "no-store"]
                .randomElement(using: &random) ?? ""
            var fields = [("Accept-Language", "\(language)")]
            if !control.isEmpty { fields.append(("Cache-Control", control)) }
            let request = CacheRequest.sample(fields)
            let decision = CacheDecision(request, stored: stored.map(\.response), now: now, rules: CacheRules())
            var sent: ForwardedRequest?
            switch decision {
            case .refuse(let refusal): #expect(refusal == .onlyIfCached && control == "only-if-cached")
            case .forward(let forward): sent = forward
            case .reply(let reply):
                hits += 1
                sent = reply.refresh
                let truth = stored[reply.index].truth
                check(truth, reply, control: control, language: language, now: now)
                #expect(reply.age == (now - truth.made) / 1000)
            }
            guard let sent else { continue }
            #expect(control != "only-if-cached")
            // The server fails, confirms with a 304, or sends a new response.
            let about = sent.index.map { stored[$0] }
            let status: Int
            var truth: Truth
            let matches = about.flatMap { about in
                sent.adds.contains { $0.name == .ifNoneMatch && $0.value == "\"\(about.truth.tag ?? -1)\"" }
                    ? about : nil
            }
            version += 1
            truth = Truth(
                body: matches?.truth.body ?? version, made: now, lifetime: .random(in: 0...6, using: &random),
                noStore: Int.random(in: 0..<8, using: &random) == 0,
                noCache: Int.random(in: 0..<8, using: &random) == 0,
                mustRevalidate: Bool.random(using: &random), whileRevalidating: .random(in: 0...3, using: &random),
                ifError: .random(in: 0...5, using: &random), variant: language,
                vary: matches?.truth.vary ?? Bool.random(using: &random),
                tag: matches?.truth.tag ?? (Bool.random(using: &random) ? version : nil))
            if matches != nil, Bool.random(using: &random) {
                status = 304
            } else {
                status = Int.random(in: 0..<6, using: &random) == 0 ? 503 : 200
                truth = Truth(
                    body: version, made: now, lifetime: truth.lifetime, noStore: truth.noStore, noCache: truth.noCache,
                    mustRevalidate: truth.mustRevalidate, whileRevalidating: truth.whileRevalidating,
                    ifError: truth.ifError, variant: language, vary: truth.vary, tag: truth.tag.map { _ in version })
            }
            let reception = CacheUpdateDecision(
                HTTPResponse(status: HTTPResponse.Status(code: status), headerFields: Self.fields(truth)), to: sent,
                request: request,
                about: about?.response, sent: now, now: now, rules: CacheRules())
            if let reply = reception.reply, let about {
                if status == 503 {
                    let old = about.truth
                    #expect(!old.mustRevalidate && !old.noCache && control != "no-cache")
                    #expect(now - old.made - old.lifetime * 1000 <= old.ifError * 1000)
                } else {
                    #expect(status == 304 && reply.shape == .whole)
                }
            }
            switch reception.storing {
            case .nothing: break
            case .store(let new):
                #expect(status != 304 && !truth.noStore && control != "no-store")
                stored.removeAll { CacheKey.variant($0.response) == CacheKey.variant(new) }
                stored.append((new, truth))
            case .update(let new):
                #expect(status == 304 && !truth.noStore)
                if let index = sent.index { stored[index] = (new, truth) }
            case .remove: if let index = sent.index { stored.remove(at: index) }
            }
        }
        #expect(hits > 50, "the histories have more than 50 hits")
    }

    private func check(_ truth: Truth, _ reply: CachedReply, control: String, language: Int, now: Int64) {
        let age = now - truth.made, lifetime = truth.lifetime * 1000
        #expect(!truth.noStore && !truth.noCache)
        #expect(!truth.vary || truth.variant == language)
        #expect(control != "no-cache" && control != "no-store")
        if control == "max-age=2" { #expect(age <= 2000) }
        if control == "min-fresh=2" { #expect(lifetime - age >= 2000) }
        guard age >= lifetime else { return }
        #expect(!truth.mustRevalidate)
        let isAccepted = control == "max-stale=3" && age - lifetime <= 3000
        let isRefreshed = reply.refresh != nil && age - lifetime <= truth.whileRevalidating * 1000
        #expect(isAccepted || isRefreshed)
        #expect(reply.report.isStale)
    }

    private static func fields(_ truth: Truth) -> HTTPFields {
        var control = ["max-age=\(truth.lifetime)"]
        if truth.noStore { control.append("no-store") }
        if truth.noCache { control.append("no-cache") }
        if truth.mustRevalidate { control.append("must-revalidate") }
        if truth.whileRevalidating > 0 { control.append("stale-while-revalidate=\(truth.whileRevalidating)") }
        if truth.ifError > 0 { control.append("stale-if-error=\(truth.ifError)") }
        var fields = [("Cache-Control", control.joined(separator: ", "))]
        if truth.vary { fields.append(("Vary", "Accept-Language")) }
        if let tag = truth.tag { fields.append(("ETag", "\"\(tag)\"")) }
        return .sample(fields)
    }
}
