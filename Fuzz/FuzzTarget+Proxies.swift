// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import SimorghCore
import SimorghNIO

extension FuzzTarget {
    /// A response to CONNECT: read alike however it is split, and no byte behind it is lost.
    static let connectAnswer = FuzzTarget(name: "connect-answer") { bytes in
        let piece = 1 + bytes.below(16)
        let input = bytes.rest
        let whole = connected(input, piece: max(1, input.count))
        precondition(connected(input, piece: piece) == whole, "read differently in pieces")
    }

    /// Answers of a SOCKS proxy: likewise, and we send nothing that was not asked for.
    static let socksAnswer = FuzzTarget(name: "socks-answer") { bytes in
        let piece = 1 + bytes.below(4)
        let proxies = [
            "socks5h://p:1", "socks5h://zal:feather@p:1", "socks5h://\(String(repeating: "z", count: 300))@p:1",
        ]
        let hosts = ["example.com", "192.0.2.1", "2001:db8::1", String(repeating: "h", count: 300)]
        guard let proxy = try? Proxy(proxies[bytes.below(3)]) else { return }
        let host = hosts[bytes.below(4)]
        let input = bytes.rest
        let whole = negotiated(input, piece: max(1, input.count), proxy, host)
        precondition(negotiated(input, piece: piece, proxy, host) == whole, "read differently in pieces")
    }

    /// Returns the result, and the number of bytes that are left for the host.
    private static func connected(_ bytes: [UInt8], piece: Int) -> String {
        guard let proxy = try? Proxy("http://zal:feather@p:1") else { return "" }
        var negotiation = ConnectNegotiation(proxy, host: "example.com", port: 443)
        var buffer = ByteBuffer()
        var rest = bytes[...]
        do {
            while !rest.isEmpty {
                buffer.writeBytes(rest.prefix(piece))
                rest = rest.dropFirst(piece)
                if try negotiation.received(&buffer) { return "open, \(buffer.readableBytes + rest.count) left" }
            }
        } catch {
            precondition(!"\(error)".contains("feather"), "the error contains the password")
            // The received part of a refusal's body may differ in pieces.
            return "refused: \(error.response?.status.code ?? 0) \(error.message)"
        }
        return "\(negotiation.ended())"
    }

    private static func negotiated(_ bytes: [UInt8], piece: Int, _ proxy: Proxy, _ host: String) -> String {
        var negotiation = SOCKS5Negotiation(proxy, host: host, port: 443)
        var buffer = ByteBuffer()
        var rest = bytes[...]
        var said = 0
        do {
            while !rest.isEmpty {
                buffer.writeBytes(rest.prefix(piece))
                rest = rest.dropFirst(piece)
                read: while true {
                    switch try negotiation.received(&buffer) {
                    case .wait: break read
                    case .send(let answer):
                        said += 1
                        precondition(said <= 2 && (3...513).contains(answer.count))
                    case .done: return "open, \(buffer.readableBytes + rest.count) left"
                    }
                }
            }
        } catch {
            precondition(!error.message.contains("feather"), "the error contains the password")
            return "refused: \(error.message)"
        }
        return "waits"
    }
}
