// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghSupport
import SimorghTesting
import TestSupport
import Testing

/// Text forms of log entries.
@Suite("LogFormat", .timeLimit(.minutes(10)))
struct LogFormatTests {
    private func entry() -> LogEntry {
        var entry = LogEntry("response", at: Date(timeIntervalSince1970: 1_576_426_727.5))
        entry.call = 7
        entry.attempt = 2
        entry.method = "GET"
        entry.url = "https://a.test/x?page=2"
        entry.status = 200
        entry.facts = [("duration", "1.500ms"), ("note", "two words")]
        entry.headers = [("Content-Type", "application/json"), ("X-A", "\"1\"")]
        entry.body = .text(#"{"a":1}"#, .json, more: 0)
        return entry
    }

    @Test("The line format has everything in one line")
    func line() {
        #expect(
            LogFormat.line.text(of: entry(), isDated: true) == """
                2019-12-15T16:18:47.500Z response 200 GET https://a.test/x?page=2 call=7 attempt=2 duration=1.500ms \
                note="two words" headers="Content-Type: application/json; X-A: \\"1\\"" body="{\\"a\\":1}"
                """)
    }

    @Test("The tree format has header fields and content on separate lines")
    func tree() {
        #expect(
            LogFormat.tree.text(of: entry(), isDated: false) == """
                [RESPONSE] 200 https://a.test/x?page=2
                ├─ duration: 1.500ms
                ├─ note: two words
                ├─ Headers
                │ Content-Type: application/json
                │ X-A: "1"
                ├─ Content
                 {
                   "a" : 1
                 }
                """)
    }

    private struct Line: Decodable {
        var time: String, event: String, failed: Bool?, call: Int, attempt: Int, method: String, url: String
        var status: Int, duration: String, headers: [[String]], body: String
    }

    @Test("The JSON format is one object per line, whatever the entry contains")
    func json() throws {
        var entry = entry()
        entry.severity = .failure
        entry.body = .text("a\nb\u{1}\u{2028}\"\\é", .text, more: 0)
        let text = LogFormat.json.text(of: entry, isDated: false)
        #expect(!text.contains("\n") && !text.contains("\u{2028}"))
        let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
        #expect(line.time == "2019-12-15T16:18:47.500Z" && line.event == "response" && line.failed == true)
        #expect(line.call == 7 && line.attempt == 2 && line.status == 200 && line.method == "GET")
        #expect(line.headers == [["Content-Type", "application/json"], ["X-A", "\"1\""]])
        #expect(line.body == "a\nb\u{1}\u{2028}\"\\é")
    }

    @Test(
        "Quoted text is escaped so that it cannot end its quotes early",
        arguments: [
            (#"a b"#, #""a b""#), (#"a\" status=200 x="b"#, #""a\\\" status=200 x=\"b""#), (#"a\nb"#, #""a\\nb""#),
            ("a\nb", #""a\nb""#), ("\"\u{301}", "\"\\\"\u{301}\""),
        ])
    func quotes(text: String, quoted: String) {
        #expect(LogText.quoted(text) == quoted)
        #expect(LogText.value(text) == quoted)
    }

    @Test("A cache report does not set the status")
    func cache() {
        let box = LogBox()
        let log = NetworkLog(.standard, to: box.writing(.json), rules: .standard)
        let head = HTTPRequest(method: .get, scheme: "https", authority: "api.test", path: "/x")
        let event = CacheEvent(CacheReport(), request: TransportRequest(head: head), callID: .next())
        log.write(.cache(event), redactor: Redactor(.standard))
        #expect(box.texts.first?.contains(#""cache":"Simorgh; hit""#) == true)
        #expect(box.texts.first?.contains(#""status""#) == false)
    }

    @Test("A server cannot forge a line or send terminal control sequences", arguments: LogFormat.allCases)
    func forgery(format: LogFormat) {
        var entry = LogEntry("response", at: Date(timeIntervalSince1970: 0))
        let hostile = "x\n2026-01-01 request GET https://forged.test\r\u{1B}[2J\u{9B}\u{202E}\u{7F}"
        entry.url = hostile
        entry.facts = [("error", hostile)]
        entry.headers = [("X-A", hostile)]
        entry.body = .text(hostile, .text, more: 0)
        let text = format.text(of: entry, isDated: true)
        let controls = text.unicodeScalars.filter { scalar in
            scalar != "\n" && (scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) || scalar == "\u{202E}")
        }
        #expect(controls.isEmpty)
        let lines = text.split(separator: "\n")
        #expect(format == .tree || lines.count == 1)
        // In a tree, the beginning of each line is generated.
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("├") || $0.hasPrefix("│") || $0.hasPrefix(" ") })
    }
}
