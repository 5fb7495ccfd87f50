// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

/// HAR files: valid by the specification, bounded, and equal to the data on the wire.
@Suite("HARRecorder", .timeLimit(.minutes(10)))
struct HARTests {
    private let clock = TestClock()

    private func recorded(
        _ transport: StubServer, _ recorder: HARRecorder,
        _ change: (inout APIClient.Configuration) -> Void = { _ in }
    ) -> APIClient {
        APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.networkInterceptors = [recorder.interceptor]
            change(&$0)
        }
    }

    @Test("Every kind of exchange is recorded as in the HAR specification")
    func schema() async throws {
        let recorder = HARRecorder(time: clock.timeSource)
        let transport = StubServer(inOrder: [
            .json(#"{"a":1}"#).header(.setCookie, value: "sid=1; Path=/"),
            .status(.found).header(.location, value: "/there"),
            .status(.noContent), .bytes(Data([0, 1, 2])),
            .chunks([.bytes(Data("abc".utf8))], contentType: "text/plain"),
            .failure(TransportError(.timedOut, phase: .connect, message: "too long")),
        ])
        let client = recorded(transport, recorder)
        _ = try await client.call(.get, "x", query: ["q": "a b", "r": ""], headers: ["Cookie": "a=b; c=d"]).data()
        try await client.call(.post, "here", body: .form(fields: [QueryItem(name: "a", value: "b c")])).void()
        _ = try await client.call(.put, "x", body: .bytes(Data([9]))).data()
        for try await _ in try await client.stream(.get, "x").chunks {}
        _ = try? await client.call(.get, "x").data()
        let data = try recorder.export()
        let object = try JSONSerialization.jsonObject(with: data)
        #expect(HARSchema.faults(object) == [])
        #expect(recorder.count == 6)
        let entries = recorder.document.log.entries
        #expect(entries.map(\.response.status) == [200, 302, 204, 200, 200, 0])
        #expect(entries[0].request.queryString.map(\.name) == ["q", "r"])
        #expect(entries[0].request.queryString.map(\.value) == ["a b", ""])
        #expect(entries[0].request.cookies.map(\.name) == ["a", "c"])
        #expect(entries[0].response.content.text == #"{"a":1}"# && entries[0].response.cookies.map(\.name) == ["sid"])
        #expect(entries[1].response.redirectURL == "/there")
        #expect(entries[1].request.postData?.params?.map(\.value) == ["b c"])
        #expect(entries[3].response.content.text == nil && entries[3].response.content.size == 3)
        #expect(entries[4].response.content.text == "abc" && entries[4].response.content.size == 3)
        #expect(entries[5].comment?.contains("too long") == true)
    }

    @Test("A cookie's name ends at the equals sign, even before a combining character")
    func cookieName() async throws {
        let recorder = HARRecorder(time: clock.timeSource)
        let transport = StubServer { _ in .text("x").header(.setCookie, value: "sid=\u{301}s3cret=; Path=/") }
        _ = try await recorded(transport, recorder).call(.get, "x").data()
        #expect(recorder.document.log.entries.first?.response.cookies.map(\.name) == ["sid"])
        #expect(!String(decoding: try recorder.export(), as: UTF8.self).contains("s3cret"))
    }

    @Test("HARSchema finds faults")
    func judge() throws {
        let recorder = HARRecorder(time: clock.timeSource)
        let empty = try JSONSerialization.jsonObject(with: try recorder.export())
        #expect(HARSchema.faults(empty) == [])
        #expect(HARSchema.faults(["log": ["version": "1.2"]]) != [])
        #expect(
            HARSchema.faults([
                "log": ["version": "1.2", "creator": ["name": "a", "version": "b"], "entries": [["time": "x"]]]
            ]) != [])
    }

    @Test("Timings are those of the phases, in milliseconds, and add up")
    func timings() async throws {
        var phases = ExchangeTimings()
        phases.queue = .milliseconds(1)
        phases.dns = .milliseconds(2)
        phases.connect = .milliseconds(5)
        phases.tls = .milliseconds(8)
        phases.request = .milliseconds(13)
        phases.firstByte = .milliseconds(21)
        phases.body = .milliseconds(34)
        let connection = ConnectionInfo(
            id: 3, applicationProtocol: "h2", localAddress: nil, remoteAddress: "[2001:db8::1]:443",
            tlsVersion: "TLSv1.3")
        let answer = StubResponse.status(.ok).carried(over: connection, timings: phases)
        let recorder = HARRecorder(time: clock.timeSource)
        try await recorded(StubServer { _ in answer }, recorder).call(.get, "x").void()
        let entry = try #require(recorder.document.log.entries.first)
        let timings = entry.timings
        #expect([timings.blocked, timings.dns, timings.connect, timings.ssl] == [1, 2, 11, 8])
        #expect(timings.send == 13 && timings.wait == 21 && timings.receive == 34)
        #expect(entry.time == 82)
        #expect(entry.serverIPAddress == "2001:db8::1" && entry.connection == "3")
        #expect(entry.request.httpVersion == "HTTP/2")
    }

    @Test(
        "The HTTP version is that of the application protocol",
        arguments: [("h3", "HTTP/3"), ("h2", "HTTP/2"), ("h2c", "HTTP/2"), ("http/1.1", "HTTP/1.1"), (nil, "HTTP/1.1")])
    func version(applicationProtocol: String?, version: String) {
        #expect(RecordedExchange.version(of: applicationProtocol) == version)
    }

    @Test("The oldest exchanges are dropped, and the file says how many")
    func bounded() async throws {
        let recorder = HARRecorder(maximumEntries: 2, maximumBodyBytes: 3)
        let client = recorded(StubServer { _ in .text("12345") }, recorder)
        for _ in 0..<5 { _ = try await client.call(.get, "x").data() }
        let log = recorder.document.log
        #expect(log.entries.count == 2 && log.comment == "3 older exchanges were dropped")
        #expect(log.entries[0].response.content.text == "123" && log.entries[0].response.content.size == 5)
        #expect(log.entries[0].response.content.comment == "2 bytes omitted")
        recorder.removeAll()
        #expect(recorder.count == 0)
    }

    @Test("The total size of bodies is bounded: the oldest exchanges are dropped, also while a stream is recorded")
    func boundedTogether() async throws {
        let recorder = HARRecorder(maximumBytes: 12)
        let answers: [StubResponse] = [
            .text("12345"), .text("12345"), .text("12345"),
            .chunks([.bytes(Data("12345".utf8)), .bytes(Data("12345".utf8))], contentType: "text/plain"),
            .text("123456789012345"),
        ]
        let client = recorded(StubServer(inOrder: answers), recorder)
        for _ in 0..<2 { _ = try await client.call(.get, "x").data() }
        #expect(recorder.count == 2)
        _ = try await client.call(.get, "x").data()
        #expect(recorder.count == 2 && recorder.document.log.comment == "1 older exchanges were dropped")
        for try await _ in try await client.stream(.get, "x").chunks {}
        #expect(recorder.document.log.entries.map(\.response.content.size) == [10])
        // The last exchange stays, however large it is.
        _ = try await client.call(.get, "x").data()
        #expect(recorder.document.log.entries.map(\.response.content.text) == ["123456789012345"])
    }

    @Test("Binary bodies are recorded as base64 if redaction is off")
    func binary() async throws {
        let recorder = HARRecorder(redaction: .none)
        let client = recorded(StubServer { _ in .bytes(Data([0, 1, 2])) }, recorder)
        _ = try await client.call(.get, "x").data()
        let content = recorder.document.log.entries[0].response.content
        #expect(content.text == "AAEC" && content.encoding == "base64")
    }

    @Test("Only the owner can access the file, and it replaces the previous one")
    func file() async throws {
        let recorder = HARRecorder()
        let client = recorded(StubServer { _ in .text("abc") }, recorder)
        _ = try await client.call(.get, "x").data()
        let file = TemporaryFile(Data("before".utf8))
        try await recorder.write(to: file.path)
        let data = try Data(contentsOf: URL(fileURLWithPath: file.path))
        #expect(try JSONDecoder().decode(HARDocument.self, from: data).log.entries.count == 1)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        let folder = URL(fileURLWithPath: file.path).deletingLastPathComponent().path
        let name = URL(fileURLWithPath: file.path).lastPathComponent
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.filter { $0.hasPrefix(name) } == [name])
        await #expect(throws: (any Error).self) { try await recorder.write(to: "/nowhere/at/all.har") }
    }
}
