// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import SimorghTesting
import Synchronization
import TestSupport
import Testing

/// A server that answers while it reads receives the whole body, over HTTP/1.1 and HTTP/2, collected and streamed.
@Suite("Full duplex: responses that arrive during the upload", .timeLimit(.minutes(5)))
struct EchoTests {
    enum Way: String, CaseIterable, Sendable {
        case http1 = "HTTP/1.1"
        case http2 = "HTTP/2"
        case http2InTheClear = "HTTP/2 in the clear"
    }

    /// 5 MB without a repeated section.
    private static let bytes = Data((0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) })

    private static func body(inMemory: Bool, chunk: Int) -> RequestBody {
        guard !inMemory else { return .bytes(bytes) }
        return .stream {
            let sent = Mutex(0)
            return AsyncThrowingStream<Data, any Error> {
                sent.withLock { sent -> Data? in
                    guard sent < bytes.count else { return nil }
                    defer { sent += chunk }
                    return bytes[sent..<min(bytes.count, sent + chunk)]
                }
            }
        }
    }

    private static func request(
        _ way: Way, _ server: EchoServer, _ body: RequestBody, _ delivery: TransportOptions.Delivery
    ) throws -> TransportRequest {
        var request: TransportRequest
        switch way {
        case .http1:
            request = TransportRequest(
                head: HTTPRequest(method: .post, scheme: "http", authority: server.authority, path: "/"), body: body)
        case .http2: request = try Peer.faults.request(.post, "/stream-echo", body: body)
        case .http2InTheClear: request = try Peer.faultsInTheClear.request(.post, "/stream-echo", body: body)
        }
        request.options.delivery = delivery
        return request
    }

    @Test("A collected echo is the whole body", arguments: Way.allCases, [true, false])
    func collected(_ way: Way, inMemory: Bool) async throws {
        let server = try await EchoServer()
        for chunk in [10_000, 1_000_000] {
            // The server treats all bytes behind a request as part of it.
            let transport = NIOTransport()
            let request = try Self.request(
                way, server, Self.body(inMemory: inMemory, chunk: chunk), .collected(upTo: 10_000_000))
            let response = try await transport.send(request)
            #expect(response.body.collectedBytes == Self.bytes)
        }
    }

    @Test("A streamed echo is the whole body", arguments: Way.allCases, [true, false])
    func streamed(_ way: Way, inMemory: Bool) async throws {
        let server = try await EchoServer()
        for chunk in [10_000, 1_000_000] {
            // The server treats all bytes behind a request as part of it.
            let transport = NIOTransport()
            let request = try Self.request(way, server, Self.body(inMemory: inMemory, chunk: chunk), .streamed)
            let response = try await transport.send(request)
            var came = Data()
            for try await part in response.body { came += part }
            #expect(came == Self.bytes)
        }
    }

    @Test("Dropping a partially read echo stops the upload", arguments: Way.allCases)
    func left(_ way: Way) async throws {
        let server = try await EchoServer()
        let transport = NIOTransport()
        let isOver = Mutex(false)
        let body = RequestBody.stream {
            AsyncThrowingStream<Data, any Error> { stream in
                stream.onTermination = { _ in isOver.withLock { $0 = true } }
                stream.yield(Data("hello".utf8))
            }
        }
        do {
            let response = try await transport.send(try Self.request(way, server, body, .streamed))
            var iterator = response.body.makeAsyncIterator()
            #expect(try await iterator.next() == Data("hello".utf8))
        }
        try await eventually { isOver.withLock { $0 } }
        #expect(isOver.withLock { $0 })
    }

    /// A source that never produces anything and ignores cancellation.
    private struct Stubborn: AsyncSequence, Sendable {
        let release: Gate

        struct Iterator: AsyncIteratorProtocol {
            let release: Gate

            mutating func next() async throws -> Data? {
                let release = release
                // A detached task does not see the cancellation.
                await Task.detached { try? await release.wait() }.value
                return nil
            }
        }

        func makeAsyncIterator() -> Iterator { Iterator(release: release) }
    }

    @Test("A body source that ignores cancellation delays neither the response, nor a timeout, nor a cancellation")
    func stubborn() async throws {
        let release = Gate()
        defer { release.open() }
        let body = RequestBody.stream { Stubborn(release: release) }
        let refusing = try await RawServer.answering(
            "HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig", answersAtHead: true)
        let transport = NIOTransport()
        let response = try await transport.send(.to(refusing, .post, body: body))
        #expect(response.head.status == .contentTooLarge)

        let silent = try await RawServer { _ in [] }
        let late = TransportRequest.to(silent, .post, body: body).with { $0.options.timeouts.total = .milliseconds(50) }
        let error = await failure { try await transport.send(late) }
        #expect(error?.code == .timedOut)

        // Another server: the connection to the first one may have been established too late for its request, and idle.
        let other = try await RawServer { _ in [] }
        let task = Task { await failure { try await transport.send(.to(other, .post, body: body)) } }
        try await eventually { other.accepted == 1 }
        task.cancel()
        #expect(await task.value?.code == .cancelled)
    }
}
