// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import Testing

/// Every parser returns the same records, or the same error, for chunks of any size.
@Suite(.timeLimit(.minutes(10)))
struct SplitTests {
    @Test(
        "EK5: lines are the same for chunks of any size",
        arguments: [
            "a\nbb\r\nccc\rdddd\n\n\r\r\n\r\n\n", "no end", "", "\r", "\n", "\r\n", "é\u{2028}🕊️\r\n雪\u{FEFF}\n",
            "x\r\r\ry\n\r\n",
        ], ["", "bad \u{FF}"])
    func lines(text: String, tail: String) {
        var bytes = Data(text.utf8)
        if !tail.isEmpty { bytes.append(contentsOf: [0xC3, 0x28, 0x0A, 0xFF]) }
        for limit in [1024, 3, 0] {
            for invalid in [ResponseLines.InvalidUTF8.replaced, .refused] {
                expectSame(bytes, "limit \(limit)") {
                    LineParser(limit: limit, blankLines: .kept, invalidUTF8: invalid)
                }
            }
        }
    }

    @Test(
        "EK6: NDJSON records are the same for chunks of any size",
        arguments: [
            "{\"a\":1}\n{\"b\":\"\\n\"}\r\n\n   \n[1]\n2", "\u{FEFF}{}\n", " {\"a\":\r1} \n", "\n\n\n", "",
            "{\"é\":\"🕊️\"}",
        ])
    func ndjson(text: String) {
        for limit in [1024, 4] { expectSame(Data(text.utf8), "limit \(limit)") { JSONLinesParser(limit: limit) } }
    }

    @Test(
        "Records of a JSON text sequence are the same for chunks of any size",
        arguments: [
            "\u{1E}{\"a\":[1,{\"b\":\"]}\\\"\"}]}\n\u{1E}12\n\u{1E}true\n\u{1E}\"x\"\n",
            "\u{1E}{\"cut\":\u{1E}[1]\n\u{1E}12\u{1E}null\n",
            "lost\n\u{1E}{}\n\u{1E}\u{1E}\n\u{1E}1 x\n\u{1E}{} {}\n", "\u{1E}12", "\u{1E}}\n\u{1E},\n\u{1E}3]\n", "",
            "\u{1E}",
        ])
    func sequence(text: String) {
        for limit in [1024, 5] { expectSame(Data(text.utf8), "limit \(limit)") { JSONSequenceParser(limit: limit) } }
    }

    @Test(
        "Elements of a JSON array are the same for chunks of any size",
        arguments: [
            "[1,\"a,]\\\"\",{\"b\":[2,{}]},[[]],null , -3.5e7 ]", " [ ] ", "\u{FEFF}[1]", "[1,]", "[,1]", "[1 2]",
            "[1]x", "{\"a\":1}",
            "[1,{\"a\":", "[", "", "[}", "[1}", " \u{FEFF}[1]", "\u{FEFF} []",
            "[[1]}", "[{}, 2", "[\"a\" 1", "[\"\\\\\",\"\\\"\"]",
            "[{}x", "[{},{}]]", "[\"a\" \"b\"]",
        ])
    func array(text: String) {
        for limit in [1024, 4] { expectSame(Data(text.utf8), "limit \(limit)") { JSONArrayParser(limit: limit) } }
    }

    @Test(
        "Server-sent events are the same for chunks of any size",
        arguments: [
            "\u{FEFF}data: a\ndata:b\r\nid: 1\revent: x\r\r\n: hi\nretry: 10\n\ndata\n\nid\n\ndata: é🕊️\n\nlost: x\ndata: lost",
            "data:  two spaces\n\n\n\ndata:\ndata:\n\n", "id: 7\n\ndata: x\n\nid: \0\ndata: y\n\n",
            "event: a\n\ndata: b\n\n", "",
            "\u{FEFF}\u{FEFF}data: x\n\ndata: y\n\n",
        ])
    func events(text: String) {
        for limit in [1024, 9] { expectSame(Data(text.utf8), "limit \(limit)") { ServerSentEventParser(limit: limit) } }
    }

    @Test(
        "Values in any framing are the same for chunks of any size",
        arguments: [
            "\n \r\n{\"a\":1}\n{}\n", ": hi\n\ndata: 1\n\ndata: [DONE]\n\n", "\u{1E}1\n", "[1,2]",
            "event: x\ndata: {}\n\n", "true\n", " data: 1\n\n", "\r\n  \r data: 1\n\n", " \t\ndata: 1\n\n", " \n [1,}",
            "\n \n 1\n\n2", String(repeating: " ", count: 120) + "[1]", String(repeating: "\n", count: 120) + "x",
            "\u{FEFF}data: 1\n\ndata:\n\ndata: \n\ndata: 2\n\n",
            "\u{FEFF}\r\n[{},]", "\u{FEFF}\u{1E}1\n", "\u{FEFF}\n{}\n", "\u{FEFF}", "\n [1 2]",
        ], [nil, "application/json", "text/event-stream; charset=utf-8", "application/json-seq"])
    func values(text: String, type: String?) {
        expectSame(Data(text.utf8), type ?? "") { JSONRecordParser(contentType: type, limit: 100) }
    }

    @Test("An incomplete byte order mark stays part of an invalid record", arguments: [1, 2])
    func halfAMark(count: Int) {
        let bytes = Data([0xEF, 0xBB].prefix(count)) + Data("{}\n".utf8)
        expectSame(bytes, "\(count)") { JSONRecordParser(contentType: nil, limit: 100) }
        expectSame(bytes.prefix(count), "\(count) alone") { JSONRecordParser(contentType: nil, limit: 100) }
        let parsed = Parsed(bytes.map { Data([$0]) }, JSONRecordParser(contentType: nil, limit: 100))
        #expect(parsed.records.map(\.bytes) == [bytes.dropLast()])
    }

    private func expectSame<Parser: RecordParser>(
        _ bytes: Data, _ comment: String, _ make: () -> Parser
    ) where Parser.Record: Equatable {
        let whole = Parsed([bytes], make())
        for (number, pieces) in Cuts.all(of: bytes).enumerated() {
            let parsed = Parsed(pieces, make())
            guard parsed != whole else { continue }
            Issue.record(
                "\(comment), cut \(number): \(pieces.map { String(decoding: $0, as: UTF8.self) }) gave \(parsed), not \(whole)"
            )
            return
        }
    }
}
