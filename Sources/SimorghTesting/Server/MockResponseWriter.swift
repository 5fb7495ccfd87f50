// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import SimorghSupport

/// Writes the response of one exchange to the connection, for one version of HTTP.
protocol MockResponseWriter: Sendable {
    func interim(_ head: HTTPResponse) async throws
    func head(_ head: HTTPResponse, length: Int?) async throws
    func bytes(_ bytes: Data) async throws
    func end(_ trailers: HTTPFields) async throws
    /// Performs a fault. Returns true if the response continues after it.
    func fault(_ fault: WireFault) async throws -> Bool
    /// Ends the exchange's connection or stream, if it has not ended.
    func abandon()
    /// Accepts a WebSocket; returns `nil` if that is not possible.
    func openWebSocket(_ script: WebSocketScript, for request: RecordedRequest) async throws -> MockSocket?
}

extension MockResponseWriter {
    /// Sends the response to a request, until its end or the end of the connection.
    func perform(
        _ answer: StubResponse, for request: RecordedRequest, sleep: (Duration) async throws -> Void
    ) async {
        let steps =
            if case .generated(let steps) = answer.content {
                steps
            } else {
                WireSteps(WirePlan(answer, method: request.method).steps)
            }
        do {
            for step in steps.make() {
                switch step {
                case .wait(let duration): try await sleep(duration)
                case .gate(let gate): try await gate.wait()
                case .interim(let response): try await interim(response)
                case .head(let response, let length): try await head(response, length: length)
                case .bytes(let data): try await bytes(data)
                case .end(let trailers): try await end(trailers)
                case .fault(let fault): guard try await self.fault(fault) else { return }
                case .fail:
                    _ = try await fault(.close)
                    return
                case .webSocket(let script): try await play(script, for: request)
                }
            }
        } catch {
            // The connection has ended, or the response cannot be written. The client must not wait for the rest.
            abandon()
        }
    }

    private func play(_ script: WebSocketScript, for request: RecordedRequest) async throws {
        guard let socket = try await openWebSocket(script, for: request) else {
            try await head(HTTPResponse(status: .upgradeRequired, headerFields: [.upgrade: "websocket"]), length: 0)
            return try await end(HTTPFields())
        }
        do {
            try await script.run(socket)
            await socket.close()
        } catch {
            socket.drop()
        }
    }
}
