// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import Testing

/// The WHATWG HTML standard, section 9.2.6, line by line.
@Suite(.timeLimit(.minutes(10)))
struct ServerSentEventTests {
    typealias Event = ServerSentEvent

    @Test(
        "An event stream is parsed as in the WHATWG standard",
        arguments: [
            // The standard's own examples.
            ("data: YHOO\ndata: +2\ndata: 10\n\n", [Event(data: "YHOO\n+2\n10")]),
            (
                ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
                [
                    Event(data: "first event", id: "1"), Event(data: "second event"), Event(data: " third event"),
                ]
            ),
            ("data\n\ndata\ndata\n\ndata:\n", [Event(data: ""), Event(data: "\n")]),
            ("data:test\n\ndata: test\n\n", [Event(data: "test"), Event(data: "test")]),
            // Names.
            ("event: add\ndata: 1\n\n", [Event(data: "1", event: "add")]),
            ("event: add\n\ndata: 1\n\n", [Event(data: "1")]),
            ("event:\ndata: 1\n\n", [Event(data: "1")]),
            ("event: a\nevent: b\ndata: 1\n\n", [Event(data: "1", event: "b")]),
            ("Data: 1\nDATA: 2\n data: 3\ndata : 4\ndat: 5\ndataa: 6\n\n", []),
            // An id applies until the next one; an id with NUL or another control character is ignored.
            (
                "id: 1\ndata: a\n\ndata: b\n\nid: 2\ndata: c\n\n",
                [Event(data: "a", id: "1"), Event(data: "b", id: "1"), Event(data: "c", id: "2")]
            ),
            ("id: 1\n\ndata: b\n\n", [Event(data: "b", id: "1")]),
            ("id: 1\nid: x\0y\ndata: a\n\n", [Event(data: "a", id: "1")]),
            ("id: 1\nid: \u{7}\ndata: a\n\n", [Event(data: "a", id: "1")]),
            ("id: 1\nid:\ndata: a\n\n", [Event(data: "a")]),
            ("id: 雪\ndata: a\n\n", [Event(data: "a", id: "雪")]),
            // Line ends.
            (
                "data: a\r\rdata: b\r\n\r\ndata: c\n\ndata: d\r\n\ndata: e\n\r\n",
                ["a", "b", "c", "d", "e"].map { Event(data: $0) }
            ),
            ("data: a\r\n\n\r\r\ndata: b\n\n", [Event(data: "a"), Event(data: "b")]),
            // A truncated event is not dispatched.
            ("data: a\n", []), ("data: a", []), ("data: a\n\ndata: b\n", [Event(data: "a")]),
            // One byte order mark.
            ("\u{FEFF}data: a\n\n", [Event(data: "a")]), ("\u{FEFF}\u{FEFF}data: a\n\n", []),
            ("\n\u{FEFF}data: a\n\n", []),
            // Colons, spaces, comments.
            ("data: a:b: c\n\n", [Event(data: "a:b: c")]), (":data: a\n\n", []),
            ("data: a\n: between\ndata: b\n\n", [Event(data: "a\nb")]),
            ("data:\u{A0}a\n\n", [Event(data: "\u{A0}a")]), ("data:\ta\n\n", [Event(data: "\ta")]),
            ("retry: 5\ndata: a\n\n", [Event(data: "a")]), ("", []), ("\n\n\n", []),
        ] as [(String, [Event])])
    func streams(text: String, events: [Event]) {
        let parsed = Parsed([Data(text.utf8)], ServerSentEventParser(limit: 1000))
        #expect(parsed.records == events)
        #expect(parsed.error == nil)
    }

    @Test("A named event without data is returned on request", arguments: ["\n", "\r\n", "\r"])
    func withoutData(lineEnd: String) {
        let lines = ["event: next", "data: 1", "", "event: complete", "", "id: 7", "", ": ping", "", "event:", "", ""]
        let text = lines.joined(separator: lineEnd)
        let parsed = Parsed([Data(text.utf8)], ServerSentEventParser(limit: 100, dispatchesWithoutData: true))
        #expect(parsed.records == [Event(data: "1", event: "next"), Event(data: "", event: "complete")])
        let standard = Parsed([Data(text.utf8)], ServerSentEventParser(limit: 100))
        #expect(standard.records == [Event(data: "1", event: "next")])
    }

    @Test("Invalid UTF-8 is replaced")
    func invalid() {
        let bytes = Data("data: a".utf8) + Data([0xFF, 0xC3]) + Data("\n\n".utf8)
        #expect(Parsed([bytes], ServerSentEventParser(limit: 100)).records.map(\.data) == ["a\u{FFFD}\u{FFFD}"])
    }

    @Test(
        "The reconnection time consists of digits, and is an hour at most",
        arguments: [
            ("retry: 0", 0), ("retry: 250", 250), ("retry:007", 7), ("retry: 99999999999999999999999", 3_600_000),
            ("retry: -1", nil), ("retry: 1.5", nil), ("retry: 1s", nil), ("retry:", nil), ("retry", nil),
            ("retry:  5", nil),
        ])
    func retry(line: String, milliseconds: Int?) {
        var parser = ServerSentEventParser(limit: 100)
        var bytes = Array("\(line)\n".utf8)
        var position = 0
        _ = bytes.withUnsafeMutableBytes { try? parser.next(in: UnsafeRawBufferPointer($0), at: &position) }
        #expect(parser.reconnectionTime == milliseconds.map { .milliseconds($0) })
    }

    @Test("An event above the limit ends the stream, in one line or in several", arguments: [1, 40])
    func tooLong(width: Int) {
        let lines = String(repeating: "data: \(String(repeating: "x", count: width))\n", count: 200 / width)
        let parsed = Parsed([Data("data: ok\n\n\(lines)\n".utf8)], ServerSentEventParser(limit: 100))
        #expect(parsed.records == [Event(data: "ok")])
        #expect(parsed.error == .eventTooLong(limitBytes: 100))
        // The limit applies to one event, not to the stream; comments do not count.
        let many = String(
            repeating: "data: \(String(repeating: "x", count: 80))\n\n: \(String(repeating: "c", count: 90))\n",
            count: 50)
        #expect(Parsed([Data(many.utf8)], ServerSentEventParser(limit: 100)).records.count == 50)
    }

    @Test("The data of an event is decoded as JSON")
    func decode() throws {
        #expect(try Event(data: "{\"a\": 1}").decode([String: Int].self) == ["a": 1])
        #expect(throws: (any Error).self) { try Event(data: "[DONE]").decode([String: Int].self) }
    }
}
