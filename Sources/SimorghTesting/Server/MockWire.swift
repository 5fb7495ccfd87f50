// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import SimorghSupport

/// How one exchange is answered on the wire, in one version of HTTP.
protocol MockWire: Sendable {
    func interim(_ head: HTTPResponse) async throws
    func head(_ head: HTTPResponse, length: Int?) async throws
    func bytes(_ bytes: Data) async throws
    func end(_ trailers: HTTPFields) async throws
    /// Does what goes wrong, and gives whether the answer goes on behind it.
    func fault(_ fault: WireFault) async throws -> Bool
    /// Ends what the exchange has of the connection, where it has not ended.
    func abandon()
    /// Agrees to a WebSocket; `nil` where there can be none.
    func openWebSocket(_ script: WebSocketScript, _ request: RecordedRequest) async throws -> MockSocket?
}

extension MockWire {
    /// Sends the answer to a request, until its end or the connection's.
    func perform(
        _ answer: StubResponse, for request: RecordedRequest, _ sleep: (Duration) async throws -> Void
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
                case .webSocket(let script): try await play(script, request)
                }
            }
        } catch {
            // The connection has ended, or the answer cannot be written: nobody is to wait for the rest of it.
            abandon()
        }
    }

    private func play(_ script: WebSocketScript, _ request: RecordedRequest) async throws {
        guard let socket = try await openWebSocket(script, request) else {
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
