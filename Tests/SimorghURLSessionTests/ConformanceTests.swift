// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghURLSession
import TestSupport
import Testing

@Suite("Transport conformance over URLSession", .timeLimit(.minutes(5)))
struct ConformanceTests {
    private static let transport = URLSessionTransport()

    /// The cases that URLSession cannot pass on this platform, with reasons.
    ///
    /// The module's page lists them for users.
    static let impossible: [String: Comment] = {
        #if canImport(FoundationNetworking)
        [
            "A redirect without Location is delivered":
                "FoundationNetworking discards the body of a 301, 302, 303, 307 or 308 before it checks for a Location"
        ]
        #else
        [:]
        #endif
    }()

    @Test("A transport", arguments: TransportCase.all)
    func conforms(_ example: TransportCase) async throws {
        guard let reason = Self.impossible[example.name] else { return try await example.run(Self.transport) }
        // Fails once the platform passes the case: then its entry above must be removed.
        await withKnownIssue(reason) { try await example.run(Self.transport) }
    }

    /// Sends every other request without a proxy, over a session of its own.
    private struct AlternatingTransport: Transport {
        let base = URLSessionTransport(capabilities: .direct)
        private let counter = Counter()

        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            var request = request
            if counter.next().isMultiple(of: 2) { request.options.route.proxy = .none }
            return try await base.send(request)
        }
    }

    private static let alternating = AlternatingTransport()

    @Test("A transport with sessions by options", arguments: TransportCase.all)
    func conformsByOptions(_ example: TransportCase) async throws {
        guard let reason = Self.impossible[example.name] else { return try await example.run(Self.alternating) }
        await withKnownIssue(reason) { try await example.run(Self.alternating) }
    }

    @Test("Every impossible case exists, and the names of all cases are unique")
    func names() {
        let names = Set(TransportCase.all.map(\.name))
        #expect(names.count == TransportCase.all.count)
        #expect(names.isSuperset(of: Self.impossible.keys))
    }

    @Test("The module's page states the number of conformance cases")
    func count() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
            .appending(path: "Sources/SimorghURLSession/SimorghURLSession.docc/SimorghURLSession.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        #expect(text.contains("suite of \(TransportCase.all.count) cases"))
    }
}
