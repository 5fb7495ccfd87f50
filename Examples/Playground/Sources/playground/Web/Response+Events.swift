// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Hummingbird
import NIOCore

extension Response {
    /// Returns values as server-sent events, one by one; an error is sent as the last event.
    ///
    /// - Parameters:
    ///   - request: The browser's request: when the browser disconnects, the stream ends. `nil` if its body was read
    /// already: a failing write, attempted each second, then reveals the disconnection.
    ///   - values: Creates the stream of values.
    /// - Returns: The response.
    static func events<Value: Encodable & Sendable>(
        for request: Request?,
        _ values: @escaping @Sendable () async throws -> AsyncThrowingStream<Value, any Error>
    ) -> Response {
        let body = request?.body
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                let relay = Relay(values)
                defer { relay.stop() }
                do {
                    // The first bytes let the browser report the stream as open.
                    try await writer.write(ByteBuffer(string: ": hello\n\n"))
                    if let body {
                        try await body.consumeWithInboundCloseHandler { _ in
                            try await relay.write(to: &writer)
                        } onInboundClosed: {
                            relay.stop()
                        }
                    } else {
                        try await relay.write(to: &writer)
                    }
                    // If the process is ending, no `end` event is sent: the page sees the lost connection.
                    try Task.checkCancellation()
                    try await writer.write(ByteBuffer(string: "event: end\ndata: {}\n\n"))
                } catch {
                    try Task.checkCancellation()
                    let words = try JSONEncoder().encode(["message": "\(error)"])
                    try await writer.write(
                        ByteBuffer(string: "event: failure\ndata: \(String(decoding: words, as: UTF8.self))\n\n"))
                }
                try await writer.finish(nil)
            })
    }

    /// Relays values to a browser until they end or it disconnects.
    private struct Relay<Value: Encodable & Sendable>: Sendable {
        private let stream: AsyncThrowingStream<Value?, any Error>
        private let end: AsyncThrowingStream<Value?, any Error>.Continuation
        private let pump: Task<Void, Never>
        private let pulse: Task<Void, Never>

        init(_ values: @escaping @Sendable () async throws -> AsyncThrowingStream<Value, any Error>) {
            let (stream, end) = AsyncThrowingStream<Value?, any Error>.makeStream(
                bufferingPolicy: .bufferingNewest(256))
            (self.stream, self.end) = (stream, end)
            pump = Task {
                do {
                    for try await value in try await values() { end.yield(value) }
                    end.finish()
                } catch {
                    end.finish(throwing: error)
                }
            }
            pulse = Task {
                while !Task.isCancelled {
                    try? await Task.sleep(for: .seconds(1))
                    end.yield(nil)
                }
            }
        }

        func stop() {
            end.finish()
            pump.cancel()
            pulse.cancel()
        }

        @concurrent
        func write(to writer: inout any ResponseBodyWriter) async throws {
            let encoder = JSONEncoder()
            for try await value in stream {
                guard let value else {
                    // A comment, which the page ignores.
                    try await writer.write(ByteBuffer(string: ": still here\n\n"))
                    continue
                }
                let json = String(decoding: try encoder.encode(value), as: UTF8.self)
                try await writer.write(ByteBuffer(string: "data: \(json)\n\n"))
            }
        }
    }

    /// Returns a value as JSON.
    static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        Response(
            status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try JSONEncoder().encode(value))))
    }

    /// Returns the description of an error, for the page to show.
    static func failure(_ error: any Error) throws -> Response {
        try json(["message": "\(error)"], status: .badGateway)
    }
}
