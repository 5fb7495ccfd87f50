// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import SimorghSupport
import SimorghTesting
import TestSupport
import Testing

@Suite("NIOTransport: cancellation", .timeLimit(.minutes(10)))
struct CancellationTests {
    /// The stage that an exchange has reached when it is cancelled.
    enum Stage: String, CaseIterable, Sendable {
        case before, queue, connect, tls, head, body, upload
    }

    @Test(
        "Cancelling the task or its scope throws .cancelled at once, in any stage, and releases the connection",
        arguments: Stage.allCases, [true, false])
    func cancel(_ stage: Stage, byScope: Bool) async throws {
        try await UnreachablePort.with(.hangs) { try await Self.cancel(stage, byScope: byScope, silent: $0.port) }
    }

    private static func cancel(_ stage: Stage, byScope: Bool, silent: Int) async throws {
        let server = try await RawServer(answersAtHead: stage == .upload) { _ in
            stage == .body ? [.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")] : []
        }
        var configuration = NIOTransport.Configuration()
        configuration.maximumConnectionsPerHost = 1
        let transport = NIOTransport(configuration: configuration)
        let scope = CancellationScope()
        var request = TransportRequest.get(server)
        request.options.scope = scope
        // No phase times out before it is cancelled, however slow the machine is.
        for phase in [\Timeouts.queue, \.connect, \.tls, \.head, \.idle, \.total] {
            request.options.timeouts[keyPath: phase] = .seconds(3600)
        }
        if stage == .connect { request.head.authority = "127.0.0.1:\(silent)" }
        if stage == .tls { request.head.scheme = "https" }
        if stage == .upload {
            request.head.method = .post
            request.body = .stream {
                AsyncThrowingStream<Data, any Error>(unfolding: {
                    try Task.checkCancellation()
                    await Task.yield()
                    return Data(count: 10)
                })
            }
        }
        let other = stage == .queue ? Task { await failure { try await transport.send(.get(server)) } } : nil
        if other != nil { try await eventually { server.requests.count == 1 } }
        if stage == .before && byScope { scope.cancelAll() }
        let sent = request
        let task = Task {
            if stage == .before && !byScope { withUnsafeCurrentTask { $0?.cancel() } }
            return await failure { try await transport.send(sent) }
        }
        switch stage {
        case .before: break
        case .queue: try await eventually { transport.statistics.waiting == 1 }
        case .connect, .tls: try await eventually { transport.statistics.dialed == 1 }
        case .head, .body, .upload: try await eventually { server.requests.count == 1 }
        }
        if byScope { scope.cancelAll() } else { task.cancel() }
        let error = await task.value
        #expect(error?.code == .cancelled)
        #expect(scope.count == 0)
        #expect(transport.statistics.waiting == 0)
        other?.cancel()
        _ = await other?.value
        try await eventually { transport.statistics.leased == 0 }
        if stage == .before { #expect(server.requests.isEmpty) }
    }

    @Test("Cancelling one of two equal requests leaves the other alone")
    func onlyOne() async throws {
        let server = try await RawServer { request in
            request.text.hasPrefix("GET /slow") ? [] : [.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")]
        }
        let transport = NIOTransport()
        let slow = Task { await failure { try await transport.send(.get(server, "/slow")) } }
        try await eventually { server.requests.count == 1 }
        let quick = try await transport.send(.get(server))
        slow.cancel()
        #expect(quick.head.status == .ok)
        #expect(await slow.value?.code == .cancelled)
        #expect(try await transport.send(.get(server)).timings.isReusedConnection)
    }

    @Test("A CancellationScope holds a streamed exchange until its body ends")
    func scopeOfStream() async throws {
        let server = try await RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")
        let scope = CancellationScope()
        var request = TransportRequest.get(server)
        request.options.scope = scope
        request.options.delivery = .streamed
        let response = try await NIOTransport().send(request)
        #expect(scope.count == 1)
        scope.cancelAll()
        let error = await failure { for try await _ in response.body {} }
        #expect(error?.code == .cancelled)
        #expect(scope.count == 0)
    }

    @Test("A connection dialed for a cancelled request serves the next one")
    func dialServesAnother() async throws {
        let server = try await RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        let transport = NIOTransport()
        let first = Task { await failure { try await transport.send(.get(server)) } }
        try await eventually { transport.statistics.dialed == 1 }
        first.cancel()
        _ = await first.value
        try await eventually { transport.statistics.open <= 1 && transport.statistics.leased == 0 }
        _ = try await transport.send(.get(server))
        #expect(transport.statistics.leased == 0)
    }
}
