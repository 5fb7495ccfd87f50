// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
import SimorghCore
public import SimorghRealtime
import SimorghSupport

extension URLSessionTransport {
    /// A transport that sends requests with this one, and opens WebSockets over Network.framework.
    ///
    /// A client uses it by `APIClient(transport: URLSessionTransport.shared.networkWebSockets)`.
    ///
    /// The trust, the additional roots, the pins and the evaluation of the TLS options apply to WebSockets as they do to
    /// requests, and so do the proxy and the client certificate. Fixed addresses and unix sockets are refused before
    /// connecting.
    public var networkWebSockets: NetworkWebSocketTransport {
        NetworkWebSocketTransport(requests: self, verify: SessionTrust.judgement(by: SystemTrust.verify))
    }
}
#endif
