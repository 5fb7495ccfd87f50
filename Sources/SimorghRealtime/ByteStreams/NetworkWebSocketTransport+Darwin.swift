// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
public import SimorghCore

extension NetworkWebSocketTransport {
    /// Creates a transport, for example `APIClient(transport: NetworkWebSocketTransport(requests: transport))`.
    ///
    /// - Parameter requests: The transport that sends the client's HTTP requests.
    public init(requests: any Transport) { self.init(requests: requests, verify: nil) }

    /// Creates a transport with its own judgement of certificates; `nil` for that of the system.
    package init(requests: any Transport, verify: NetworkConnectionPlan.Verify?) {
        self.init(requests: requests, verify: verify, connect: SystemNetworkConnection.init)
    }
}
#endif
