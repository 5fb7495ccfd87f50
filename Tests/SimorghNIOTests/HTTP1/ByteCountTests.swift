// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import Synchronization
import TestSupport
import Testing

@Suite("ExchangeTimings: byte and attempt counts", .timeLimit(.minutes(5)))
struct ByteCountTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test("HTTP/1.1: every byte of both messages is counted", arguments: [0, 10, 100_000])
    func http1(_ size: Int) async throws {
        let server = try await RawServer.answering(Self.ok)
        let transport = NIOTransport()
        for _ in 0..<2 {
            let body = RequestBody.bytes(Data(repeating: 0x61, count: size))
            let response = try await transport.send(.to(server, .post, body: body))
            #expect(response.timings.receivedBytes == Int64(Self.ok.utf8.count))
            #expect(response.timings.sentBytes == Int64(server.requests.last?.text.unicodeScalars.count ?? 0))
            #expect(response.timings.transmissions == 1)
        }
    }

    @Test("The framing of chunks is counted")
    func chunked() async throws {
        let server = try await RawServer.answering(Self.ok)
        let body = RequestBody.stream {
            AsyncThrowingStream<Data, any Error> { stream in
                stream.yield(Data(count: 300_000))
                stream.yield(Data(count: 5))
                stream.finish()
            }
        }
        let response = try await NIOTransport().send(.to(server, .post, body: body))
        #expect(response.timings.sentBytes == Int64(server.requests.last?.text.unicodeScalars.count ?? 0))
    }

    @Test(
        "finalTimings of a streamed body count all its bytes, with the time of the last one", arguments: [2, 200_000])
    func streamed(_ size: Int) async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n" + String(repeating: "a", count: size)
        let server = try await RawServer.answering(answer)
        let request = TransportRequest.get(server).with { $0.options.delivery = .streamed }
        let response = try await NIOTransport().send(request)
        for try await _ in response.body {}
        let timings = try #require(response.finalTimings)
        #expect(timings.receivedBytes == Int64(answer.utf8.count))
        #expect(timings.sentBytes == Int64(server.requests.last?.text.unicodeScalars.count ?? 0))
        let body = try #require(timings.body)
        let (total, headTotal) = (try #require(timings.total), try #require(response.timings.total))
        #expect(total >= headTotal && total >= body)
        let collected = try await NIOTransport().send(.get(server))
        #expect(collected.finalTimings == collected.timings)
    }

    @Test("finalTimings is nil while a body streams, and has the bytes received so far after a failure")
    func unfinished() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"
        let silent = try await RawServer.answering(head + "ab")
        let request = TransportRequest.get(silent).with { $0.options.delivery = .streamed }
        let response = try await NIOTransport().send(request)
        #expect(response.finalTimings == nil)
        let ending = try await RawServer.answering(head + "ab", closing: true)
        let cut = try await NIOTransport().send(
            TransportRequest.get(ending).with { $0.options.delivery = .streamed })
        let error = try #require(await failure { for try await _ in cut.body {} })
        #expect(error.code == .networkConnectionLost)
        #expect(error.timings?.receivedBytes == Int64(head.utf8.count + 2))
        #expect(cut.finalTimings?.receivedBytes == Int64(head.utf8.count + 2))
    }

    @Test("A body error of a request that was sent twice reports two attempts")
    func ridesOfStream() async throws {
        let cut = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok"
        let server = try await RawServer { request in
            if request.connection > 0 { return [.send(cut), .close] }
            return request.number == 0 ? [.send(Self.ok)] : [.close]
        }
        let transport = NIOTransport()
        _ = try await transport.send(.get(server))
        let response = try await transport.send(TransportRequest.get(server).with { $0.options.delivery = .streamed })
        #expect(response.timings.transmissions == 2)
        let error = try #require(await failure { for try await _ in response.body {} })
        #expect(error.attempts == 2)
        #expect(error.timings?.transmissions == 2)
        #expect(response.finalTimings?.transmissions == 2)
    }

    @Test(
        "bodyEnded is reported once, whether the body was complete, cut off, or dropped",
        arguments: ["whole", "cut", "let go"])
    func events(_ end: String) async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"
        let text = head + (end == "whole" ? "abcd" : "ab")
        let server = try await RawServer.answering(text, closing: end == "cut")
        let events = Mutex<[BodyEndEvent]>([])
        var configuration = APIClient.Configuration()
        configuration.logging.onEvent = { event in
            if case .bodyEnded(let event) = event { events.withLock { $0.append(event) } }
        }
        let client = APIClient(configuration: configuration, transport: NIOTransport())
        do {
            let response = try await client.call(.get, "http://\(server.authority)/x?key=secret").stream()
            if end != "let go" {
                for try await _ in response.chunks {}
                #expect(response.finalTimings?.receivedBytes == Int64(text.utf8.count))
            }
        } catch {
            #expect(end == "cut")
        }
        try await eventually { events.withLock { !$0.isEmpty } }
        let event = try #require(events.withLock { $0.first })
        #expect(events.withLock { $0.count } == 1)
        #expect(event.timings.receivedBytes == Int64(text.utf8.count))
        #expect(event.timings.total != nil)
        #expect(event.method == "GET" && !event.url.contains("secret"))
        #expect(event.connection?.remoteAddress == server.authority)
        let codes: [String: TransportError.Code] = ["cut": .networkConnectionLost, "let go": .cancelled]
        #expect(event.error?.code == codes[end])
    }

    @Test("CompletedEvent's metrics count the bytes of a stream once", arguments: [2, 200_000])
    func metrics(_ size: Int) async throws {
        let text = "HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n" + String(repeating: "a", count: size)
        let server = try await RawServer.answering(text)
        let calls = Mutex<[CompletedEvent]>([])
        var configuration = APIClient.Configuration()
        configuration.logging.onEvent = { event in
            if case .completed(let call) = event { calls.withLock { $0.append(call) } }
        }
        let client = APIClient(configuration: configuration, transport: NIOTransport())
        let response = try await client.call(.get, "http://\(server.authority)/").stream()
        for try await _ in response.chunks {}
        try await eventually { calls.withLock { !$0.isEmpty } }
        let metrics = try #require(calls.withLock { $0.first?.metrics })
        #expect(metrics.bytesReceived == Int64(text.utf8.count))
        #expect(metrics.bytesSent == Int64(server.requests.last?.text.unicodeScalars.count ?? 0))
        #expect(metrics.attempts.last?.timings == response.finalTimings)
    }

    @Test(
        "HTTP/2: each response frame is counted with its header and padding, collected and streamed",
        arguments: [true, false])
    func frames(isStreamed: Bool) async throws {
        let frames: [[UInt8]] = [
            [0, 0, 1, 1, 0, 0, 0, 0, 1, 0x88],  // The status; CONTINUATION follows.
            [0, 0, 0, 9, 4, 0, 0, 0, 1],  // An empty CONTINUATION.
            [0, 0, 3, 0, 0, 0, 0, 0, 1, 1, 2, 3],
            [0, 0, 8, 0, 9, 0, 0, 0, 1, 4, 9, 9, 9, 0, 0, 0, 0],  // Padded, END_STREAM.
        ]
        let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
        let server = try await RawServer(greeting: [.bytes(settings)]) {
            $0.number == 1 ? [.bytes(Array(frames.joined()))] : []
        }
        let request = TransportRequest.get(server).with {
            $0.options.httpVersion = .http2PriorKnowledge
            if isStreamed { $0.options.delivery = .streamed }
        }
        let response = try await NIOTransport().send(request)
        #expect(try await response.body.collect(upTo: 100) == Data([1, 2, 3, 9, 9, 9]))
        #expect(response.finalTimings?.receivedBytes == Int64(frames.joined().count))
        #expect(response.finalTimings?.sentBytes ?? 0 > 0)
    }

    @Test("HTTP/2: both bodies are counted with their heads")
    func http2() async throws {
        let request = try Peer.faultsInTheClear.request(.post, "/echo", body: .bytes(Data(count: 50_000)))
        let response = try await NIOTransport().send(request)
        #expect((50_000...51_000).contains(response.timings.sentBytes))
        #expect((10...200).contains(response.timings.receivedBytes))
    }

    @Test("A failure reports its connection, timings and byte counts")
    func failed() async throws {
        let server = try await RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok", closing: true)
        let error = try #require(await failure { try await NIOTransport().send(.get(server)) })
        #expect(error.connection?.remoteAddress == server.authority)
        #expect(error.timings?.receivedBytes == 40)
        #expect(error.timings?.connect != nil)
        #expect(error.timings?.total != nil)
        let overHTTP2 = try #require(
            await failure { try await NIOTransport().send(try Peer.faultsInTheClear.request(.get, "/reset/head/2")) })
        #expect(overHTTP2.connection?.applicationProtocol.hasPrefix("h2") == true)
        #expect(overHTTP2.timings?.sentBytes ?? 0 > 0)
    }

    @Test("timings.transmissions counts a request that the transport resent")
    func transmissions() async throws {
        let server = try await RawServer { $0.number == 0 ? [.send(Self.ok)] : [.close] }
        let transport = NIOTransport()
        #expect(try await transport.send(.get(server)).timings.transmissions == 1)
        #expect(try await transport.send(.get(server)).timings.transmissions == 2)
    }
}
