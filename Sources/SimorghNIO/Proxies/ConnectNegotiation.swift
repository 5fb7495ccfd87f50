// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import NIOCore
import NIOFoundationEssentialsCompat
package import SimorghCore
import SimorghRealtime
import SimorghSupport

/// The CONNECT exchange with an HTTP proxy that opens a tunnel (RFC 9110, section 9.3.6).
package struct ConnectNegotiation {
    /// The maximum number of bytes of a refusal's body to keep.
    private static let maximumBodySize = 64 * 1024

    private let proxy: Proxy
    private let target: String
    private var parser = ResponseParser()
    private var refusal: ResponseHead?
    private var body = Data()

    package init(_ proxy: Proxy, host: String, port: Int) {
        self.proxy = proxy
        target = "\(host.contains(":") ? "[\(host)]" : host):\(port)"
        parser.begin(isHead: false, limits: ResponseLimits(), isConnect: true)
    }

    /// The bytes of the CONNECT request.
    package var request: String {
        var request = "CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n"
        if let authorization = proxy.authorization { request += "Proxy-Authorization: \(authorization)\r\n" }
        return request + "\r\n"
    }

    /// Parses bytes from the proxy.
    ///
    /// - Parameter bytes: The received bytes; bytes after the response stay in the buffer.
    /// - Returns: True if the tunnel is open; false if more bytes are needed.
    /// - Throws: The proxy's refusal.
    package mutating func received(_ bytes: inout ByteBuffer) throws(ProxyError) -> Bool {
        while true {
            let event: ResponseParser.Event?
            do {
                event = try parser.next(&bytes)
            } catch {
                throw ProxyError(proxy: proxy.description, message: "the proxy \(proxy) does not speak HTTP")
            }
            switch event {
            case .head(let head):
                if head.response.status.kind == .successful { return true }
                // Skip 1xx responses.
                if head.response.status.code >= 200 {
                    refusal = head
                } else {
                    parser.begin(isHead: false, limits: .init(), isConnect: true)
                }
            case .body(let part):
                body.append(Data(buffer: part, byteTransferStrategy: .copy).prefix(Self.maximumBodySize - body.count))
                if body.count >= Self.maximumBodySize { throw ended() }
            case .end: throw ended()
            case .none: return false
            }
        }
    }

    /// Returns the error for a connection that ended during the negotiation.
    package func ended() -> ProxyError {
        guard let refusal else {
            return ProxyError(proxy: proxy.description, message: "the proxy \(proxy) closed the connection")
        }
        let status = refusal.response.status
        return ProxyError(
            proxy: proxy.description, response: refusal.response, body: body,
            message: status.code == 407
                ? "the proxy \(proxy) requires a user name and password (407)"
                : "the proxy \(proxy) did not connect to \(target): \(status.code) \(status.reasonPhrase)")
    }
}
