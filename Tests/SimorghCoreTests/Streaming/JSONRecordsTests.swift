// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10)))
struct JSONRecordsTests {
    struct Point: Codable, Hashable, Sendable { var x: Int }

    private static func body(_ text: String) -> ResponseBody { ResponseBody(Data(text.utf8)) }

    private func all<Model>(_ records: JSONRecords<Model>) async throws -> [Model] {
        var all: [Model] = []
        for try await record in records { all.append(record) }
        return all
    }

    @Test("EK6: a record split across chunks is decoded, and blank lines are skipped")
    func lines() async throws {
        let chunks = ["{\"x\"", ":1}\n\n", "  \r\n{\"x\":2}", "\r\n", "{\"x\":3}"].map { Data($0.utf8) }
        #expect(try await all(ResponseBody(DataChunks(pieces: chunks)).ndjson(as: Point.self)).map(\.x) == [1, 2, 3])
    }

    @Test("Excessive nesting is an error and does not crash", arguments: ["[", "{\"a\":"])
    func deep(opening: String) async throws {
        let text = String(repeating: opening, count: 100_000)
        let closing = opening == "[" ? "]" : "}"
        let value = text + (opening == "[" ? "" : "1") + String(repeating: closing, count: 100_000)
        await #expect(throws: RecordError.self) {
            _ = try await all(Self.body(value + "\n").ndjson(as: JSON.self))
        }
        await #expect(throws: RecordError.self) {
            _ = try await all(Self.body("[\(value)]").jsonArray(of: JSON.self))
        }
    }

    @Test("EK6: an undecodable line ends the stream, and the error has its number and path")
    func badLine() async throws {
        var iterator = Self.body("{\"x\":1}\n\n{\"x\":\"two\"}\n{\"x\":3}\n").ndjson(as: Point.self).makeAsyncIterator()
        #expect(try await iterator.next() == Point(x: 1))
        let failure = try await #require(throws: RecordError.self) { try await iterator.next() }
        #expect(failure.number == 3)
        #expect(failure.path == "x")
        #expect(failure.snippet == "{\"x\":\"two\"}")
        #expect(failure.description.contains("record 3"))
        #expect(try await iterator.next() == nil)
    }

    @Test("With undecodable: .skipped, an undecodable line is reported and skipped")
    func skipped() async throws {
        let failures = Mutex<[Int]>([])
        let records = Self.body("{\"x\":1}\nrubbish\n{\"x\":3}\n").ndjson(
            as: Point.self, undecodable: .skipped { failure in failures.withLock { $0.append(failure.number) } })
        #expect(try await all(records).map(\.x) == [1, 3])
        #expect(failures.withLock { $0 } == [2])
    }

    @Test("SIM24: a line of 100 kB, in one chunk or in thousands, is one record")
    func longLine() async throws {
        let text = String(repeating: "a", count: 100_000)
        let line = Data("\n\"\(text)\"\n\n".utf8)
        #expect(try await all(ResponseBody(line).ndjson(as: String.self)) == [text])
        let bytes = ResponseBody(DataChunks(pieces: [line], size: 1))
        #expect(try await all(bytes.ndjson(as: String.self)) == [text])
    }

    @Test("A record above the limit ends the stream, and the error names the limit", arguments: JSONFraming.allCases)
    func tooLong(framing: JSONFraming) async throws {
        let body: ResponseBody
        let records: JSONRecords<String>
        var expected = StreamingError.recordTooLong(limitBytes: 10)
        switch framing {
        case .lines:
            body = Self.body("\"12345678\"\n\"123456789\"\n")
            records = body.ndjson(limit: 10)
            expected = .lineTooLong(limitBytes: 10)
        case .sequence: records = Self.body("\u{1E}\"12345678\"\n\u{1E}\"123456789\"\n").jsonSequence(limit: 10)
        case .array: records = Self.body("[\"12345678\",\"123456789\"]").jsonArray(limit: 10)
        }
        var iterator = records.makeAsyncIterator()
        #expect(try await iterator.next() == "12345678")
        await #expect(throws: expected) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    @Test("A record of a JSON text sequence is returned with its last byte, before the next separator")
    func liveSequence() {
        var parser = JSONSequenceParser(limit: 100)
        func take(_ text: String) -> [JSONRecord] {
            var records: [JSONRecord] = []
            var position = 0
            var bytes = Array(text.utf8)
            bytes.withUnsafeMutableBytes { buffer in
                while position < buffer.count {
                    guard let record = try? parser.next(in: UnsafeRawBufferPointer(buffer), at: &position) else {
                        continue
                    }
                    records.append(record)
                }
            }
            return records
        }
        #expect(take("\u{1E}{\"a\": [1]").isEmpty)
        #expect(take("}").map(\.number) == [1])
        #expect(take("\n\u{1E}12").isEmpty)
        #expect(take("\n").map { String(decoding: $0.bytes, as: UTF8.self) } == ["12"])
    }

    @Test("A truncated text affects only its own record (RFC 7464, section 2.3)")
    func cutShort() async throws {
        let numbers = Mutex<[Int]>([])
        let text = "\u{1E}1\n\u{1E}2\u{1E}3\n\u{1E}[4\n\u{1E}5\n\u{1E}6"
        let records = Self.body(text).jsonSequence(
            as: Int.self, undecodable: .skipped { failure in numbers.withLock { $0.append(failure.number) } })
        #expect(try await all(records) == [1, 3, 5])
        #expect(numbers.withLock { $0 } == [2, 4, 6])
    }

    @Test("A large array is decoded element by element")
    func array() async throws {
        let text = "[\(String(repeating: "{\"x\":7},\n", count: 10_000)){\"x\":8}]"
        let points = try await all(Self.body(text).jsonArray(of: Point.self))
        #expect(points.count == 10_001)
        #expect(points.last == Point(x: 8))
    }

    @Test(
        "A body that is not an array is refused, with the offset",
        arguments: [
            ("", 0), ("{}", 0), ("[1,,2]", 3), ("[1,]", 3), ("[1 2]", 3), ("[1]]", 3), ("[,1]", 1), ("[1", 2), ("[", 1),
            ("[1,", 3),
        ])
    func malformed(text: String, offset: Int) async throws {
        let error = try await #require(throws: StreamingError.self) {
            try await all(Self.body(text).jsonArray(of: Int.self))
        }
        guard case .malformedArray(_, let place) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(place == offset)
    }

    @Test(
        "Values are framed by the media type, or else by the first byte",
        arguments: [
            (nil, "1\n2\n"), (nil, "data: 1\n\ndata: 2\n\n"), (nil, ": ping\n\nid: 4\ndata: 1\n\ndata:2\n\n"),
            (nil, "\u{1E}1\n\u{1E}2\n"),
            ("application/json", "[1,2]"), ("application/json", "1\n2"), ("application/x-ndjson", "\n\n1\n\n2\n"),
            ("text/event-stream", "data: 1\n\ndata: 2\n\ndata: [DONE]\n\ndata: 3\n\n"),
            ("application/json-seq", "\u{1E}1\n\u{1E}2\n"),
        ])
    func values(type: String?, text: String) throws {
        let parsed = Parsed([Data(text.utf8)], JSONRecordParser(contentType: type, limit: 100))
        #expect(parsed.error == nil)
        let records = parsed.records.prefix { !$0.endsStream }
        #expect(try records.map { try JSONDecoder().decode(Int.self, from: $0.bytes) } == [1, 2])
    }

    @Test("A stream with an end marker lets its exchange finish by itself; an abandoned stream does not")
    func lingering() async throws {
        for (text, lingers) in [("data: 1\n\ndata: [DONE]\n\n", true), ("data: 1\n\ndata: 2\n\n", false)] {
            let (seen, noted) = AsyncStream.makeStream(of: Bool.self)
            let body = ResponseBody(Lingering(chunk: Data(text.utf8)) { noted.yield(true) }).mapErrors { $0 }
            let head = HTTPFields([HTTPField(name: .contentType, value: "text/event-stream")])
            let response = StreamingResponse(
                head: CollectedResponse(
                    TransportResponse(head: HTTPResponse(status: .ok, headerFields: head)), body: Data(),
                    to: HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/")),
                chunks: body, decoder: JSONDecoder())
            for try await value in response.values(as: Int.self, limit: 100) where value == 2 { break }
            noted.finish()
            #expect(await seen.contains(true) == lingers)
        }
    }
}

/// One chunk, then silence; reports when it is left to finish by itself.
private struct Lingering: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = any Error

    let chunk: Data
    let tell: @Sendable () -> Void

    struct Iterator: AsyncIteratorProtocol, DrainableChunks {
        var chunk: Data?
        let tell: @Sendable () -> Void

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? { chunk.take() }

        func linger() { tell() }
    }

    func makeAsyncIterator() -> Iterator { Iterator(chunk: chunk, tell: tell) }
}
