// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
package import NIOCore
package import SimorghCore
import SimorghRealtime

extension NIOTransport {
    /// The maximum number of bytes that are kept of the body of a response that refuses an upgrade.
    package static var maximumRefusalSize: Int { UpgradeResponseStateMachine.maximumBodySize }

    /// Requests an upgrade from HTTP to another protocol (RFC 9110, section 7.8).
    ///
    /// The connection is dialed like any other: name resolution, proxies (always through a tunnel), TLS with its rules
    /// and pins, configured addresses, and the timeouts of each phase. `total` covers everything until the response
    /// arrives. The connection does not belong to the pool and is not counted by it, because it may stay open for any
    /// time and must not take a slot from requests. TLS negotiates HTTP/1.1 only.
    ///
    /// - Parameters:
    ///   - request: The request, without a body. Its scheme may be `ws` or `wss` for `http` and `https`. The fields
    ///     `Connection` and `Upgrade` are set here.
    ///   - name: The protocol, as in the field `Upgrade`.
    ///   - takeOver: Called on the connection's event loop after the server's 101 response, to check the response and
    ///     to add the handlers of the protocol at the end of the pipeline. Bytes that followed the response are passed
    ///     to the first of them before this method returns. If it throws, the connection is closed.
    /// - Returns: The result of `takeOver`, or the response of a server that refused.
    /// - Throws: `TransportError`. A cancelled task throws one with the code `cancelled`, and the connection is closed.
    package func upgrade<Value: Sendable>(
        _ request: TransportRequest, to name: String,
        takeOver: @escaping @Sendable (HTTPResponse, any Channel) throws -> Value
    ) async throws(TransportError) -> UpgradeResult<Value> {
        defer { withExtendedLifetime(self) {} }
        var request = request
        switch request.head.scheme {
        case "ws": request.head.scheme = "http"
        case "wss": request.head.scheme = "https"
        case "ws+unix": request.head.scheme = "http+unix"
        case "wss+unix": request.head.scheme = "https+unix"
        default: break
        }
        guard request.body.isEmpty, request.head.method == .get else {
            throw .invalid(.invalidMethod, message: "an upgrade requires a GET request without a body")
        }
        do {
            try HeaderRules.check(value: name, of: "Upgrade")
        } catch {
            throw .invalid(error.reason, message: error.message)
        }
        // The upgraded protocol decodes its own content, and the body of a refusal is short.
        request.options.decompresses = false
        try Self.check(request)
        let plan = try RequestPlan(request, mayWait: false, upgrade: name)
        try await plan.request.checkNetworkAccess()
        return try await UpgradeExchange(plan, dialer: pool.dialer, pool: pool, takeOver: takeOver).outcome().get()
    }
}
