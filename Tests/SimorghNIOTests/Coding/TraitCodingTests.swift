// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// Needs both traits: scripts/codings compiles this file and the engine with them, without a second package build.
// Tests/Codings tests each decoder by itself.
#if Brotli && Zstd
import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import TestSupport
import Testing

@Suite("Response body decompression: br and zstd", .timeLimit(.minutes(10)))
struct TraitCodingTests {
    /// 500 times "the quick brown fox ", written by the libraries' own encoders.
    private static let bodies = [
        "br": "1b0f2700047463a92ee78362f22082d628071695d90aced97a00a0f135e9c701",
        "zstd": "28b52ffd601026e50000a074686520717569636b2062726f776e20666f78200100f2cdf19309",
    ]
    /// 64 MiB of zeros.
    private static let bomb =
        "cbffff3f002400e2b14072effff8ffff078004401c1680eefd1fffffff00900088c302d0bdffe3ffff1f001200715800baf77ffcffff03"
        + "4002200e0b40f7fe8fffff7f004800c46101e8defff1ffff0f000980382c00ddfbbffcffff032001108705a07bff07"

    private static func bytes(_ hex: String) -> [UInt8] {
        stride(from: 0, to: hex.utf8.count, by: 2).compactMap { UInt8(hex.dropFirst($0).prefix(2), radix: 16) }
    }

    private static func server(_ body: [UInt8], _ coding: String) async throws -> RawServer {
        try await RawServer { _ in
            [
                .send("HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: \(body.count)\r\n\r\n"),
                .bytes(body),
            ]
        }
    }

    @Test(
        "br and zstd are in Accept-Encoding, and such bodies are decoded, collected and streamed",
        arguments: ["br", "zstd"],
        [true, false])
    func good(coding: String, streams: Bool) async throws {
        let server = try await Self.server(Self.bytes(try #require(Self.bodies[coding])), coding)
        let response = try await NIOTransport().send(
            .get(server).with { if streams { $0.options.delivery = .streamed } })
        let text = Data(String(repeating: "the quick brown fox ", count: 500).utf8)
        #expect(try await response.body.collect(upTo: 1_000_000) == text)
        #expect(response.head.headerFields[.contentEncoding] == nil)
        #expect(server.requests.first?.text.contains("\r\nAccept-Encoding: gzip, deflate, br, zstd\r\n") == true)
    }

    @Test(
        "A br or zstd body that is truncated, corrupt or a decompression bomb is an error",
        arguments: ["cut", "spoilt", "bomb"],
        ["br", "zstd"])
    func bad(fault: String, coding: String) async throws {
        var body = Self.bytes(try #require(Self.bodies[coding]))
        var coding = coding
        switch fault {
        case "cut": body.removeLast(3)
        case "spoilt": body.replaceSubrange(2..<8, with: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
        default: (body, coding) = (Self.bytes(Self.bomb), "br")
        }
        let server = try await Self.server(body, coding)
        let error = await failure { try await NIOTransport().send(.get(server)) }
        #expect(error?.code == .cannotDecodeContentData, "\(String(describing: error))")
    }
}
#endif
