// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghInspector
import Testing

/// The calls of a HAR file.
@Suite("InspectorState of a HAR file", .timeLimit(.minutes(10)))
struct InspectorHARTests {
    @Test("Each entry is a call with its status, type, time and phases")
    func entries() throws {
        var later = HARDocument.Entry.answered(with: 404, url: "https://a/b")
        later.startedDateTime = "2026-01-01T00:00:02Z"
        let document = HARDocument(entries: [.answered(with: 200, body: "{}"), later, .answered(with: 0)])
        let state = InspectorState(document, redacting: .standard)
        #expect(state.calls.map(\.status) == [200, 404, nil])
        #expect(state.calls.map(\.stage) == [.done, .done, .failed])
        #expect(state.calls.map(\.start) == [.zero, .milliseconds(1500), .zero])
        let call = state.calls[0]
        #expect(call.mediaType == "application/json" && call.duration == .milliseconds(20))
        let phases = try #require(call.attempts.first).phases
        #expect(phases.map(\.name) == ["queue", "dns", "connect", "tls", "request", "wait", "body"])
        #expect(phases.map(\.milliseconds) == [1, 2, 4, 5, 0.5, 6, 1.5])
    }

    @Test("Of too many entries the last ones are kept")
    func many() {
        var limits = InspectorState.Limits()
        limits.calls = 2
        let document = HARDocument(entries: (1...5).map { .answered(with: 200 + $0) })
        let state = InspectorState(document, redacting: .standard, limits: limits)
        #expect(state.calls.map(\.status) == [204, 205])
    }

    @Test("Secrets of a file that another program wrote are hidden, also in a search and in an export")
    func secrets() throws {
        let entry = HARDocument.Entry.answered(
            with: 200, url: "https://user:pass-word@a/b?access_token=query-secret&page=2",
            headers: [
                HARDocument.Record(name: ":path", value: "/b?access_token=query-secret&page=2"),
                HARDocument.Record(name: "Authorization", value: "Bearer bearer-secret"),
                HARDocument.Record(name: "Cookie", value: "sid=cookie-secret"),
            ], body: #"{"password":"body-secret","echo":"bearer-secret"}"#)
        let state = InspectorState(HARDocument(entries: [entry]), redacting: .standard)
        let detail = try JSONEncoder().encode(CallDetail(state.calls[0], messagesAfter: 0))
        let export = try JSONEncoder().encode(state.document())
        for text in [String(decoding: detail, as: UTF8.self), String(decoding: export, as: UTF8.self)] {
            for secret in ["query-secret", "bearer-secret", "cookie-secret", "body-secret", "pass-word"] {
                #expect(!text.contains(secret), "\(secret) is shown")
            }
            #expect(text.contains("page=2"))
        }
        #expect(state.numbers(containing: "body-secret") == [])
        #expect(state.numbers(containing: "PAGE=2 password") == [1])
        #expect(state.numbers(containing: "page=2 missing") == [])
    }
}
