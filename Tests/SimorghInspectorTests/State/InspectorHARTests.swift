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
        // The page shows how many there were.
        #expect(state.total == 5 && state.calls.map(\.number) == [4, 5])
    }

    @Test("Bodies in Base64, whose secrets cannot be found, are not shown")
    func opaque() throws {
        let secret = Data(#"{"access_token":"body-secret"}"#.utf8).base64EncodedString()
        var entry = HARDocument.Entry.answered(with: 200, body: secret)
        entry.response.content.encoding = "base64"
        entry.request.postData = HARDocument.PostData(
            mimeType: "application/octet-stream", text: secret, encoding: "base64")
        let state = InspectorState(HARDocument(entries: [entry]), redacting: .standard)
        let shown = try #require(state.document().log.entries.first)
        #expect(shown.response.content.text == nil && shown.response.content.encoding == nil)
        #expect(shown.response.content.comment == "not shown because it is not text")
        #expect(shown.request.postData?.text.isEmpty == true && shown.request.postData?.encoding == nil)
        #expect(shown.request.postData?.comment == "not shown because it is not text")
        let open = InspectorState(HARDocument(entries: [entry]), redacting: .none).document()
        #expect(open.log.entries.first == entry)
    }

    @Test("The password of the URL is hidden in the body, too")
    func userInfo() throws {
        let entry = HARDocument.Entry.answered(
            with: 200, url: "https://user:pass-word@a/", body: #"{"echo":"pass-word"}"#)
        let state = InspectorState(HARDocument(entries: [entry]), redacting: .standard)
        let text = try #require(state.document().log.entries.first?.response.content.text)
        #expect(text.contains("echo") && !text.contains("pass-word"))
    }

    @Test("Bodies are cut, with and without redaction", arguments: [RedactionRules.standard, RedactionRules.none])
    func cut(rules: RedactionRules) throws {
        var limits = InspectorState.Limits()
        limits.body = 100
        // The secret begins before the cut and ends after it.
        let secret = "bearer-secret-" + String(repeating: "b", count: 50)
        let body = String(repeating: "a", count: 70) + " \(secret)" + String(repeating: " word", count: 20_000)
        var entry = HARDocument.Entry.answered(
            with: 200, headers: [HARDocument.Record(name: "Authorization", value: "Bearer \(secret)")], body: body)
        entry.request.postData = HARDocument.PostData(mimeType: "text/plain", text: body)
        let state = InspectorState(HARDocument(entries: [entry]), redacting: rules, limits: limits)
        let shown = try #require(state.document().log.entries.first)
        for text in [shown.response.content.text, shown.request.postData?.text] {
            #expect(text?.utf8.count == 100)
            #expect(text?.contains("bearer-secret") == !rules.isOn)
        }
        #expect(shown.response.content.comment == "only the beginning of the body is kept")
        #expect(shown.request.postData?.comment == "only the beginning of the body is kept")
        #expect(state.bytes < 2000)
    }

    @Test("Parameters without a value, and a form without a text, are valid")
    func parameters() throws {
        let text = #"{"mimeType":"multipart/form-data","params":[{"name":"a"},{"name":"b","value":"c"}]}"#
        let form = try JSONDecoder().decode(HARDocument.PostData.self, from: Data(text.utf8))
        #expect(form.text.isEmpty && form.params?.map(\.value) == ["", "c"])
    }

    @Test("The parameters of a form are dropped if it has a text, and cut if it has no text", arguments: ["a=b", ""])
    func cutParameters(text: String) throws {
        var limits = InspectorState.Limits()
        limits.body = 100
        var entry = HARDocument.Entry.answered(with: 200)
        entry.request.postData = HARDocument.PostData(mimeType: "multipart/form-data", text: text)
        entry.request.postData?.params = (1...1000).map { HARDocument.Record(name: "a", value: "\($0)") }
        let state = InspectorState(HARDocument(entries: [entry]), redacting: .none, limits: limits)
        let shown = try #require(state.document().log.entries.first?.request.postData)
        #expect(shown.params?.map(\.value) == (text.isEmpty ? ["1", "2"] : nil))
        #expect((shown.comment != nil) == text.isEmpty && state.bytes < 2000)
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

    @Test("A long, repetitive secret in a long, repetitive body takes no hours: the body is not shown")
    func repetitive() throws {
        let text = String(repeating: "a", count: 260_000)
        let cookie = HARDocument.Record(name: "Cookie", value: "a=\(text)b")
        var slow = HARDocument.Entry.answered(with: 200, headers: [cookie], body: text)
        slow.request.postData = HARDocument.PostData(mimeType: "text/plain", text: text)
        let usual = HARDocument.Entry.answered(
            with: 200, headers: [HARDocument.Record(name: "Cookie", value: "a=cookie-secret")],
            body: "the cookie-secret is hidden")
        let state = InspectorState(HARDocument(entries: [usual, slow, usual]), redacting: .standard)
        let entries = state.document().log.entries
        try #require(entries.count == 3)
        #expect(entries[1].response.content.text == nil && entries[1].request.postData?.text.isEmpty == true)
        let comment = "not shown because the search for its secrets takes too long"
        #expect(entries[1].response.content.comment == comment && entries[1].request.postData?.comment == comment)
        #expect(entries[1].request.headers.first?.value.contains("aaaa") == false)
        // The search in other entries is not affected.
        for entry in [entries[0], entries[2]] {
            let shown = try #require(entry.response.content.text)
            #expect(shown.hasPrefix("the ") && !shown.contains("cookie-secret"))
        }
    }

    @Test("Escaped copies of a repetitive secret are counted, too", arguments: ["%61", #"\u0061"#])
    func repetitiveEscapes(escape: String) {
        let secret = String(repeating: "a", count: 2000) + "b"
        let long = BoundedSecretFinder(searching: [String(repeating: escape, count: 4000)], upTo: 100_000)
        _ = long.search(for: [secret])
        #expect(!long.isComplete && long.left == 0)
        let short = BoundedSecretFinder(searching: [escape], upTo: 100_000)
        _ = short.search(for: [secret])
        #expect(short.isComplete && short.left > 99_000)
    }

    @Test(
        "Lists, values, the URL and the comment of an entry are bounded",
        arguments: [RedactionRules.standard, RedactionRules.none])
    func boundedHeads(rules: RedactionRules) throws {
        let long = String(repeating: "word ", count: 100_000)
        var entry = HARDocument.Entry.answered(
            with: 0, url: "https://a/?q=\(String(repeating: "b/", count: 500_000))",
            headers: (1...5000).map { HARDocument.Record(name: "X-\($0)", value: "a") })
        entry.comment = long
        entry.request.method = long
        entry.response.headers = (1...100).map { HARDocument.Record(name: "X-\($0)", value: long) }
        let state = InspectorState(HARDocument(entries: [entry]), redacting: rules)
        let shown = try #require(state.document().log.entries.first)
        #expect(state.calls[0].url.hasPrefix("https://a/") && state.calls[0].url.utf8.count <= 64 * 1024)
        #expect(state.calls[0].failure?.utf8.count == 64 * 1024 && state.calls[0].method.utf8.count == 1024)
        #expect(shown.request.headers.count == 1000)
        #expect(shown.response.headers.count == 3)
        #expect(shown.response.headers.allSatisfy { $0.value.utf8.count == 64 * 1024 })
    }

    @Test("Entries beyond the limit of bytes are counted, and not kept")
    func bytes() {
        var limits = InspectorState.Limits()
        limits.bytes = 10_000
        let body = String(repeating: "a", count: 1000)
        let document = HARDocument(entries: (1...100).map { .answered(with: 200 + $0, body: body) })
        let state = InspectorState(document, redacting: .standard, limits: limits)
        #expect(state.total == 100 && state.calls.last?.number == 100 && state.calls.last?.status == 300)
        #expect(state.bytes <= 10_000 && state.calls.count > 1 && state.calls.count <= 10)
    }
}
