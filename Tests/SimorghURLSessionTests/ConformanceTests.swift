// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghURLSession
import TestSupport
import Testing

@Suite("What every transport does, over URLSession", .timeLimit(.minutes(5)))
struct ConformanceTests {
    private static let transport = URLSessionTransport()

    /// What this platform's URLSession cannot do, and why; the module's page tells users the same.
    static let impossible: [String: Comment] = {
        #if canImport(FoundationNetworking)
        [
            "A redirect without Location is delivered":
                "FoundationNetworking throws the body of a 301, 302, 303, 307 or 308 away before it looks for a Location"
        ]
        #else
        [:]
        #endif
    }()

    @Test("A transport", arguments: TransportCase.all)
    func conforms(_ example: TransportCase) async throws {
        guard let reason = Self.impossible[example.name] else { return try await example.run(Self.transport) }
        // Fails when the platform has learned it: then the line above goes.
        await withKnownIssue(reason) { try await example.run(Self.transport) }
    }

    @Test("What cannot be done is known by its name")
    func names() {
        let names = Set(TransportCase.all.map(\.name))
        #expect(names.count == TransportCase.all.count)
        #expect(names.isSuperset(of: Self.impossible.keys))
    }

    @Test("The module's page says how many cases there are")
    func count() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
            .appending(path: "Sources/SimorghURLSession/SimorghURLSession.docc/SimorghURLSession.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        #expect(text.contains("suite of \(TransportCase.all.count) cases"))
    }
}
