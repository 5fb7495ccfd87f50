// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct StreamCallTests {
    private struct Chunk: Codable, Hashable, Sendable { var n: Int }

    private struct Feed: NetworkRouter {
        var baseURLString: String { "http://host.test" }
        var path: String { "/feed" }
        var method: RequestMethod? { .get }
    }

    private struct Numbers: NetworkRequest {
        typealias Response = EmptyResponse
        var path: String { "numbers" }
        var method: RequestMethod { .get }
    }

    @Test("Every stream method returns the status and header fields first")
    func ways() async throws {
        let gate = Gate()
        let transport = StubServer { _ in
            .chunks([.wait(gate), .bytes(Data("{\"n\":1}\n".utf8))], contentType: "application/x-ndjson")
        }
        let client = APIClient.scripted(transport)
        let responses = [
            try await client.stream(Feed()), try await client.stream(Numbers()), try await client.stream(.get, "x"),
            try await client.call(.get, "x").stream(),
        ]
        gate.open()
        for response in responses {
            #expect(response.statusCode == 200)
            #expect(response.headers[.contentType] == "application/x-ndjson")
            var chunks: [Chunk] = []
            for try await chunk in response.ndjson(as: Chunk.self) { chunks.append(chunk) }
            #expect(chunks == [Chunk(n: 1)])
        }
    }

    @Test(
        "SIM24: the values of a stream are delivered, from NDJSON and from events",
        arguments: [
            ("application/x-ndjson", "{\"n\":1}\n\n\n{\"n\":2}\n"),
            ("text/event-stream", "data: {\"n\":1}\n\n: ping\n\nid: 3\ndata: {\"n\":2}\n\n"),
            ("text/plain", "data: {\"n\":1}\n\ndata: {\"n\":2}\n\ndata: [DONE]\n\n"),
            ("application/json", "[{\"n\":1},{\"n\":2}]"),
        ])
    func asyncStreamRequest(type: String, text: String) async throws {
        let transport = StubServer { _ in .text(text, contentType: type) }
        let client = APIClient.scripted(transport)
        var chunks: [Chunk] = []
        for try await chunk: Chunk in client.asyncStreamRequest(Feed()) { chunks.append(chunk) }
        #expect(chunks == [Chunk(n: 1), Chunk(n: 2)])
    }

    @Test("A sequence from streaming() is cold, and sends a request for each iteration")
    func cold() async throws {
        let transport = StubServer { _ in .text("a\nb\n") }
        let lines = APIClient.scripted(transport).call(.get, "log").streaming { $0.lines() }
        #expect(transport.requestCount == 0)
        for _ in 0..<2 {
            var all: [String] = []
            for try await line in lines { all.append(line) }
            #expect(all == ["a", "b"])
        }
        #expect(transport.requestCount == 2)
    }

    @Test("An undecodable value is a decoding error with its record, and the client's decoder is used")
    func decoding() async throws {
        struct Named: Codable, Sendable { var firstName: String }
        let transport = StubServer { _ in .text("{\"first_name\":\"a\"}\n{\"first_name\":7}\n") }
        let client = APIClient.scripted(transport) {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            $0.decoder = decoder
        }
        var names: [String] = []
        let error = await #expect(throws: NetworkError.self) {
            for try await named: Named in client.asyncStreamRequest(Feed()) { names.append(named.firstName) }
        }
        #expect(names == ["a"])
        guard case .decodingError(let failure) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.snippet == "{\"first_name\":7}")
        #expect(failure.message.hasPrefix("record 2: "))
        #expect(failure.path == "firstName")
        #expect(error?.statusCode == 200)
    }

    @Test("A line above the limit is an error with the call's URL")
    func tooLong() async throws {
        let transport = StubServer { _ in .text(String(repeating: "1", count: 100)) }
        let values = APIClient.scripted(transport).asyncStreamRequest(Feed(), as: Int.self, limit: 50)
        let error = await #expect(throws: NetworkError.self) { for try await _ in values {} }
        #expect(error?.underlyingError as? StreamingError == .lineTooLong(limitBytes: 50))
        #expect(error?.context?.url == "http://host.test/feed")
    }

    @Test("EK8: a refused stream is an error with its body, up to 1 MiB", arguments: [0, 1, 1024 * 1024])
    func refused(size: Int) async throws {
        let body = Data(repeating: 0x78, count: size)
        let transport = StubServer { _ in .bytes(body, contentType: "text/plain", status: .badGateway) }
        let error = await #expect(throws: NetworkError.self) {
            try await APIClient.scripted(transport).stream(.get, "x")
        }
        guard case .customError(502, let response) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(response.body == body)
        #expect(!response.isBodyTruncated)
    }

    @Test("EK8: a refused stream with a longer body has errorPayloadTooLarge, the status and the first 1 MiB")
    func refusedTooLarge() async throws {
        let body = Data(repeating: 0x78, count: 1024 * 1024 + 1)
        let transport = StubServer { _ in .bytes(body, contentType: "text/plain", status: .badGateway) }
        let error = await #expect(throws: NetworkError.self) {
            try await APIClient.scripted(transport).stream(.get, "x")
        }
        #expect(error?.underlyingError as? StreamingError == .errorPayloadTooLarge(limitBytes: 1024 * 1024))
        #expect(error?.statusCode == 502)
        #expect(error?.responseData?.count == 1024 * 1024)
    }

    enum Form: String, CaseIterable, Sendable { case chunks, bytes, lines, ndjson, jsonArray, jsonSequence, events }

    @Test("EK9: leaving the loop closes the exchange, in every form of reading", arguments: Form.allCases)
    func breaking(form: Form) async throws {
        let text =
            switch form {
            case .jsonArray: "[1,"
            case .jsonSequence: "\u{1E}1\n"
            case .events: "data: 1\n\n"
            default: "1\n"
            }
        let never = Gate()
        let transport = StubServer { _ in
            .chunks([.bytes(Data(text.utf8)), .wait(never)], contentType: "text/event-stream")
        }
        let client = APIClient.scripted(transport)
        try await Self.readOne(form, client)
        // The task that delivered the response may not have released it yet.
        try await eventually { client.scope.count == 0 }
    }

    private static func readOne(_ form: Form, _ client: APIClient) async throws {
        let response = try await client.stream(.get, "x")
        #expect(client.scope.count == 1)
        switch form {
        case .chunks: for try await _ in response.chunks { break }
        case .bytes: for try await _ in response.bytes { break }
        case .lines: for try await _ in response.lines() { break }
        case .ndjson: for try await _ in response.ndjson(as: Int.self) { break }
        case .jsonArray: for try await _ in response.jsonArray(of: Int.self) { break }
        case .jsonSequence: for try await _ in response.jsonSequence(as: Int.self) { break }
        case .events: for try await _ in response.serverSentEvents() { break }
        }
    }

    @Test("A response is read once: a second iterator throws, and does not affect the first")
    func twice() async throws {
        let transport = StubServer { _ in .text("a\nb\n") }
        let response = try await APIClient.scripted(transport).stream(.get, "x")
        var first = response.lines().makeAsyncIterator()
        #expect(try await first.next() == "a")
        await #expect(throws: ResponseBody.AlreadyConsumedError.self) { for try await _ in response.lines() {} }
        #expect(try await first.next() == "b")
        #expect(try await first.next() == nil)
    }

    @Test(
        "The media type of a response without a body is not validated",
        arguments: [
            StubResponse.status(.noContent), .status(.resetContent),
            StubResponse.status(.ok).header(.contentLength, value: "0"),
        ])
    func noBody(answer: StubResponse) async throws {
        let client = APIClient.scripted(StubServer(inOrder: [answer])) {
            $0.validation.contentTypes = ["text/event-stream"]
        }
        #expect(try await client.stream(.get, "x").statusCode == answer.status.code)
        let typeless = APIClient.scripted(StubServer(inOrder: [.status(.ok)])) {
            $0.validation.contentTypes = ["text/event-stream"]
        }
        await #expect(throws: NetworkError.self) { try await typeless.stream(.get, "x") }
    }

    @Test(
        "Values are recognized after a byte order mark and events without data",
        arguments: [
            ("text/plain", "\u{FEFF}data: {\"n\":1}\n\n"), ("text/plain", "\u{FEFF}{\"n\":1}\n"),
            ("application/json", "\u{FEFF}[{\"n\":1}]"), ("text/plain", "\u{FEFF}\u{1E}{\"n\":1}\n"),
            ("text/event-stream", "event: ping\ndata:\n\ndata: {\"n\":1}\n\ndata:  \n\n"),
        ])
    func marks(type: String, text: String) async throws {
        let transport = StubServer { _ in .text(text, contentType: type) }
        var chunks: [Chunk] = []
        for try await chunk: Chunk in APIClient.scripted(transport).asyncStreamRequest(Feed()) { chunks.append(chunk) }
        #expect(chunks == [Chunk(n: 1)])
    }

    @Test("A long stream buffers no more than a chunk and a record")
    func flat() async throws {
        let count = 20_000
        let given = Counter()
        let lines = AsyncThrowingStream<Data, any Error>(unfolding: {
            let number = given.next()
            return number <= count ? Data("line \(number)\nline ".utf8) : nil
        })
        var read = 0
        for try await _ in ResponseBody(lines).lines(limit: 64) {
            read += 1
            guard given.count <= read + 1 else {
                Issue.record("\(given.count) chunks were taken for \(read) lines")
                return
            }
        }
        #expect(read == count + 1)
    }

    @Test("EK9: leaving the loop releases the exchange, and an error in the body is thrown after the preceding lines")
    func leaving() async throws {
        let lost = TransportError(.networkConnectionLost, phase: .body, message: "lost")
        let transport = StubServer { _ in
            .chunks([.bytes(Data("a\nb\nc".utf8)), .fail(lost)], contentType: "text/plain")
        }
        let client = APIClient.scripted(transport)
        var lines: [String] = []
        let error = await #expect(throws: NetworkError.self) {
            for try await line in client.call(.get, "x").streaming({ $0.lines() }) { lines.append(line) }
        }
        #expect(lines == ["a", "b"])
        guard case .urlError(let cause) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause.code == .networkConnectionLost)
    }
}
