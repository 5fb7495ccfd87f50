// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore
package import SimorghCore

/// The negotiation with a SOCKS proxy that opens a tunnel (RFC 1928; RFC 1929 for user names and passwords).
package struct SOCKS5Negotiation: Sendable {
    package enum Action: Equatable, Sendable {
        case send([UInt8])
        case wait
        case done
    }

    private enum State: Sendable {
        case greeted
        case authenticating
        case requested
        case done
    }

    private let proxy: Proxy
    private let host: String
    private let port: Int
    private var state = State.greeted

    /// Creates a negotiation.
    ///
    /// - Parameters:
    ///   - proxy: The proxy.
    ///   - host: The name or address to connect to.
    ///   - port: The port to connect to.
    package init(_ proxy: Proxy, host: String, port: Int) {
        self.proxy = proxy
        self.host = host
        self.port = port
    }

    /// The first bytes: the authentication methods that the client offers.
    package var greeting: [UInt8] { proxy.user == nil ? [5, 1, 0] : [5, 2, 0, 2] }

    /// Parses bytes from the proxy.
    package mutating func received(_ bytes: inout ByteBuffer) throws(ProxyError) -> Action {
        switch state {
        case .greeted:
            guard let answer = bytes.readMultipleIntegers(as: (UInt8, UInt8).self) else { return .wait }
            guard answer.0 == 5 else { throw refusal("does not speak SOCKS 5") }
            switch answer.1 {
            case 0: return .send(try request())
            case 2 where proxy.user != nil: return .send(try credentials())
            case 2, 0xFF: throw refusal("does not accept the offered authentication methods")
            default: throw refusal("selected an authentication method that was not offered")
            }
        case .authenticating:
            guard let answer = bytes.readMultipleIntegers(as: (UInt8, UInt8).self) else { return .wait }
            guard answer.1 == 0 else { throw refusal("rejected the user name or password") }
            return .send(try request())
        case .requested: return try reply(&bytes)
        case .done: return .done
        }
    }

    private mutating func credentials() throws(ProxyError) -> [UInt8] {
        let (user, password) = (proxy.user ?? [], proxy.password)
        guard (1...255).contains(user.count), password.count <= 255 else {
            throw refusal("requires a user name and a password of at most 255 bytes")
        }
        state = .authenticating
        return [1, UInt8(user.count)] + user + [UInt8(password.count)] + password
    }

    private mutating func request() throws(ProxyError) -> [UInt8] {
        let target: [UInt8]
        if let address = IPAddress(host)?.bytes {
            target = [address.count == 4 ? 1 : 4] + address
        } else {
            guard host.utf8.count <= 255 else { throw refusal("accepts host names of at most 255 bytes") }
            target = [3, UInt8(host.utf8.count)] + Array(host.utf8)
        }
        state = .requested
        return [5, 1, 0] + target + [UInt8(port >> 8), UInt8(port & 0xFF)]
    }

    private mutating func reply(_ bytes: inout ByteBuffer) throws(ProxyError) -> Action {
        let start = bytes.readerIndex
        guard let version: UInt8 = bytes.getInteger(at: start), let code: UInt8 = bytes.getInteger(at: start + 1) else {
            return .wait
        }
        guard version == 5 else { throw refusal("does not speak SOCKS 5") }
        guard code == 0 else { throw refusal(Self.meaning(of: code), reply: code) }
        guard let kind: UInt8 = bytes.getInteger(at: start + 3) else { return .wait }
        let length: Int
        switch kind {
        case 1: length = 4
        case 4: length = 16
        case 3:
            guard let count: UInt8 = bytes.getInteger(at: start + 4) else { return .wait }
            length = 1 + Int(count)
        default: throw refusal("replied with an unknown address type")
        }
        guard bytes.readableBytes >= 6 + length else { return .wait }
        bytes.moveReaderIndex(forwardBy: 6 + length)
        state = .done
        return .done
    }

    private static func meaning(of code: UInt8) -> String {
        switch code {
        case 2: "does not allow the connection"
        case 3: "reports that the network is unreachable"
        case 4: "reports that the host is unreachable"
        case 5: "reports that the host refused the connection"
        case 6: "reports that the connection timed out (TTL expired)"
        case 7: "does not support the CONNECT command"
        case 8: "does not support this address type"
        default: "failed"
        }
    }

    private func refusal(_ text: String, reply code: UInt8? = nil) -> ProxyError {
        ProxyError(
            proxy: proxy.description, socksReply: code.map(Int.init), message: "the proxy \(proxy) \(text)")
    }
}
