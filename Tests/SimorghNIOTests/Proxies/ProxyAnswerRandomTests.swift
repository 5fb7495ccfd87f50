// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import SimorghCore
import SimorghNIO
import TestSupport
import Testing

/// Answers of proxies, split at random, damaged, or of random bytes.
///
/// 50,000 answers for each kind of proxy by default; a million with `SIMORGH_THOROUGH=1` in the environment.
@Suite("Proxy negotiation: random answers", .timeLimit(.minutes(60)))
struct ProxyAnswerRandomTests {
    private static let rounds = Thoroughness.events(5_000, seeds: 10)

    private static func cut(_ bytes: [UInt8], _ random: inout SeededNumbers) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...max(1, rest.count), using: &random))
            pieces.append(piece)
            rest = rest.dropFirst(piece.count)
        }
        return pieces
    }

    /// Damages an answer, or leaves it unchanged.
    private static func damage(_ bytes: inout [UInt8], _ random: inout SeededNumbers) {
        for _ in 0..<Int.random(in: 0...2, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: place)
            default: bytes = Array(bytes[..<place])
            }
        }
    }

    @Test(
        "CONNECT: an answer reads the same whole and in pieces, and no byte behind it is lost",
        arguments: 1...10)
    func connect(seed: Int) async throws {
        var random = SeededNumbers(UInt64(seed))
        let proxy = try Proxy("http://zal:feather@proxy.example:3128")
        let answers = [
            "HTTP/1.1 200 Connection established\r\n\r\n",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200\r\nVia: x\r\n\r\n",
            "HTTP/1.1 407 No\r\nContent-Length: 4\r\n\r\nbody",
            "HTTP/1.1 502 Bad\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nno\r\n0\r\n\r\n",
            "SSH-2.0-OpenSSH\r\n", "HTTP/1.1 403 No\r\n\r\nuntil the end",
        ]
        var (opened, refused) = (0, 0)
        for round in 0..<Self.rounds {
            if round % 256 == 0 { await Task.yield() }
            var bytes = Array((answers[Int.random(in: 0..<answers.count, using: &random)] + "BEHIND").utf8)
            if Int.random(in: 0..<10, using: &random) == 0 {
                bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in .random(in: 0...255, using: &random) }
            }
            Self.damage(&bytes, &random)
            let whole = Self.connected(proxy, [bytes[...]])
            let pieces = Self.connected(proxy, Self.cut(bytes, &random))
            guard whole == pieces else {
                Issue.record("seed \(seed): \(bytes) is \(whole) in one, \(pieces) in pieces")
                return
            }
            if whole.hasPrefix("open") { opened += 1 } else { refused += 1 }
        }
        #expect(opened > 100 && refused > 100, "seed \(seed)")
    }

    private static func connected(_ proxy: Proxy, _ pieces: [ArraySlice<UInt8>]) -> String {
        var negotiation = ConnectNegotiation(proxy, host: "example.com", port: 443)
        var buffer = ByteBuffer()
        for (index, piece) in pieces.enumerated() {
            buffer.writeBytes(piece)
            do {
                if try negotiation.received(&buffer) {
                    let behind = pieces[(index + 1)...].reduce(Array(buffer.readableBytesView), +)
                    return "open, then \(behind)"
                }
            } catch {
                return "refused with \(error.response?.status.code ?? 0): \(error.message)"
            }
        }
        let end = negotiation.ended()
        return "ended with \(end.response?.status.code ?? 0): \(end.message)"
    }

    @Test(
        "SOCKS5: an answer reads the same whole and in pieces, and no byte behind it is lost",
        arguments: 1...10)
    func socks(seed: Int) async throws {
        var random = SeededNumbers(UInt64(seed))
        let proxies = try [Proxy("socks5h://proxy.example:1080"), Proxy("socks5://zal:feather@proxy.example")]
        let answers: [[UInt8]] = [
            [5, 0, 5, 0, 0, 1, 1, 2, 3, 4, 0, 80], [5, 0, 5, 0, 0, 3, 4, 1, 2, 3, 4, 0, 80],
            [5, 2, 1, 0, 5, 0, 0, 4] + [UInt8](repeating: 7, count: 18), [5, 2, 1, 1], [5, 0xFF], [5, 0, 5, 5],
            [4, 0], [5, 1],
        ]
        var (opened, refused) = (0, 0)
        for round in 0..<Self.rounds {
            if round % 256 == 0 { await Task.yield() }
            let proxy = proxies[Int.random(in: 0..<2, using: &random)]
            var bytes = answers[Int.random(in: 0..<answers.count, using: &random)] + Array("BEHIND".utf8)
            if Int.random(in: 0..<10, using: &random) == 0 {
                bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in .random(in: 0...9, using: &random) }
            }
            Self.damage(&bytes, &random)
            let whole = Self.negotiated(proxy, [bytes[...]])
            let pieces = Self.negotiated(proxy, Self.cut(bytes, &random))
            guard whole == pieces else {
                Issue.record("seed \(seed): \(bytes) is \(whole) in one, \(pieces) in pieces")
                return
            }
            if whole.hasPrefix("open") { opened += 1 } else { refused += 1 }
        }
        #expect(opened > 100 && refused > 100, "seed \(seed)")
    }

    private static func negotiated(_ proxy: Proxy, _ pieces: [ArraySlice<UInt8>]) -> String {
        var negotiation = SOCKS5Negotiation(proxy, host: "example.com", port: 443)
        var buffer = ByteBuffer()
        var said: [[UInt8]] = []
        for (index, piece) in pieces.enumerated() {
            buffer.writeBytes(piece)
            do {
                read: while true {
                    switch try negotiation.received(&buffer) {
                    case .wait: break read
                    case .send(let answer): said.append(answer)
                    case .done:
                        let behind = pieces[(index + 1)...].reduce(Array(buffer.readableBytesView), +)
                        return "open after \(said), then \(behind)"
                    }
                }
            } catch {
                return "refused after \(said): \(error.message)"
            }
        }
        return "waits after \(said)"
    }
}
