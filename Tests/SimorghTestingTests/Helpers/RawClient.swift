// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import NIOCore
import NIOPosix

/// A client that sends bytes unchanged, and returns the received bytes and the way the connection ended.
struct RawClient {
    enum Ending: Equatable {
        /// The awaited bytes arrived; the connection is still open.
        case satisfied
        case closed
        case reset
    }

    struct Result {
        var bytes: [UInt8]
        var ending: Ending

        var text: String { String(decoding: bytes, as: UTF8.self) }

        /// The bytes after the first head.
        var body: String {
            guard let range = text.range(of: "\r\n\r\n") else { return "" }
            return String(text[range.upperBound...])
        }

        func count(of part: String) -> Int { text.components(separatedBy: part).count - 1 }
    }

    let port: Int

    /// Sends text, and reads until a condition on all received bytes holds or the connection ends.
    func send(
        _ requests: [String], until isEnough: @Sendable ([UInt8]) -> Bool = { _ in false }
    ) async throws -> Result {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            var result = Result(bytes: [], ending: .closed)
            do {
                for request in requests { try await outbound.write(ByteBuffer(string: request)) }
                for try await chunk in inbound {
                    result.bytes += Array(chunk.readableBytesView)
                    if isEnough(result.bytes) {
                        result.ending = .satisfied
                        break
                    }
                }
            } catch {
                result.ending = .reset
            }
            return result
        }
    }

    func get(_ target: String, _ fields: String = "") async throws -> Result {
        try await send(["GET \(target) HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\(fields)\r\n"])
    }

    func post(_ target: String, type: String, _ body: String, method: String = "POST") async throws -> Result {
        try await send([
            "\(method) \(target) HTTP/1.1\r\nHost: test\r\nConnection: close\r\nContent-Type: \(type)\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        ])
    }
}

/// Returns the members of a JSON object.
func object(_ json: String) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any] ?? [:]
}
