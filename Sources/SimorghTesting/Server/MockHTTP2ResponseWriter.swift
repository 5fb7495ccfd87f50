// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOHPACK
import NIOHTTP2
import SimorghSupport
import Synchronization

/// One exchange over HTTP/2: a stream of a connection.
final class MockHTTP2ResponseWriter: MockResponseWriter {
    private let stream: any Channel
    private let id: HTTP2StreamID
    private let hasHead = Atomic(false)

    init(_ stream: any Channel, id: HTTP2StreamID) {
        self.stream = stream
        self.id = id
    }

    func interim(_ head: HTTPResponse) async throws { try await write(.headers(.init(headers: Self.headers(head)))) }

    func head(_ head: HTTPResponse, length: Int?) async throws {
        hasHead.store(true, ordering: .relaxed)
        var headers = Self.headers(head)
        if let length, !headers.contains(name: "content-length") {
            headers.add(name: "content-length", value: "\(length)")
        }
        try await write(.headers(.init(headers: headers)))
    }

    func bytes(_ bytes: Data) async throws {
        try await write(.data(.init(data: .byteBuffer(ByteBuffer(bytes: bytes)))))
    }

    func end(_ trailers: HTTPFields) async throws {
        guard trailers.isEmpty else {
            var headers = HPACKHeaders()
            for field in trailers { headers.add(name: field.name.canonicalName, value: field.value) }
            return try await write(.headers(.init(headers: headers, endStream: true)))
        }
        try await write(.data(.init(data: .byteBuffer(ByteBuffer()), endStream: true)))
    }

    func fault(_ fault: WireFault) async throws -> Bool {
        let connection = stream.parent ?? stream
        switch fault {
        case .close: try? await connection.close().get()
        case .reset: try? await connection.triggerUserOutboundEvent(HardReset()).get()
        case .stall: try await stream.closeFuture.get()
        case .truncate where hasHead.load(ordering: .relaxed): try await end(HTTPFields())
        // There is no body yet that could end.
        case .truncate: try await write(.rstStream(.internalError))
        case .resetStream(let code): try await write(.rstStream(HTTP2ErrorCode(networkCode: Int(code))))
        case .garbage:
            let bytes = ByteBuffer(bytes: SeededBytes(seed: 7, count: 256).chunk(at: 0, upTo: 256))
            try? await connection.triggerUserOutboundEvent(RawBytes(bytes: bytes)).get()
            try? await connection.close().get()
        case .goAway(let code):
            let isBegun = hasHead.load(ordering: .relaxed)
            let last = isBegun ? id : HTTP2StreamID(max(0, Int(id) - 2))
            let goAwayFrame = HTTP2Frame(
                streamID: .rootStream,
                payload: .goAway(
                    lastStreamID: last, errorCode: HTTP2ErrorCode(networkCode: Int(code)), opaqueData: nil))
            try await connection.writeAndFlush(goAwayFrame).get()
            return isBegun
        case .slow: return true
        }
        return false
    }

    func abandon() { stream.close(promise: nil) }

    /// Returns `nil`: the server does not support extended CONNECT.
    func openWebSocket(_ script: WebSocketScript, for request: RecordedRequest) async throws -> MockSocket? { nil }

    private func write(_ payload: HTTP2Frame.FramePayload) async throws {
        try await stream.writeAndFlush(payload).get()
    }

    private static func headers(_ head: HTTPResponse) -> HPACKHeaders {
        var headers = HPACKHeaders([(":status", "\(head.status.code)")])
        for field in head.headerFields {
            // Connection-specific fields of HTTP/1.1 are not allowed in HTTP/2.
            if [.connection, .transferEncoding, .upgrade].contains(field.name) { continue }
            headers.add(name: field.name.canonicalName, value: field.value)
        }
        return headers
    }
}
