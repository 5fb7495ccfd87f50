// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
package import NIOCore
package import SimorghCore

extension NIOTransport {
    /// The most bytes that are kept of the body with which a server refuses another protocol.
    package static let largestRefusal = 1024 * 1024

    /// Asks a server to leave HTTP for another protocol (RFC 9110, section 7.8).
    ///
    /// The connection is dialled as any other: names, proxies (always through a tunnel), TLS with its rules and pins, the
    /// user's own addresses, and the limits of time of each phase, `total` over all of it until the answer is there. It is
    /// one of its own and none of the pool's, which does not count it: a conversation lasts as long as it likes, and must
    /// not take the place of requests. TLS agrees on HTTP/1.1 and nothing else.
    ///
    /// - Parameters:
    ///   - request: The request, without a body; its scheme may be `ws` or `wss` for `http` and `https`. The fields
    ///     `Connection` and `Upgrade` are set here.
    ///   - name: The protocol, as the field `Upgrade` names it.
    ///   - takeOver: Called on the connection's event loop when the server has agreed (101), to look at its answer and to
    ///     add the handlers of the protocol at the end of the pipeline. What came behind the answer is handed to the first
    ///     of them before this method returns. What it throws ends the connection.
    /// - Returns: What `takeOver` gave, or the answer of a server that did not agree.
    /// - Throws: `TransportError`; a cancelled task throws one with the code `cancelled`, and the connection is closed.
    package func upgrade<Value: Sendable>(
        _ request: TransportRequest, to name: String,
        _ takeOver: @escaping @Sendable (HTTPResponse, any Channel) throws -> Value
    ) async throws(TransportError) -> UpgradeAnswer<Value> {
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
            throw .invalid(.invalidMethod, "another protocol is asked for by a GET without a body")
        }
        do {
            try HeaderRules.check(value: name, of: "Upgrade")
        } catch {
            throw .invalid(error.reason, error.message)
        }
        // The answer is for whoever speaks the protocol, and a refusal is short.
        request.options.decompresses = false
        try Self.check(request)
        let plan = try RequestPlan(request, mayWait: false, upgrade: name)
        return try await UpgradeExchange(plan, dialler: pool.dialler, pool: pool, takeOver).outcome().get()
    }
}
