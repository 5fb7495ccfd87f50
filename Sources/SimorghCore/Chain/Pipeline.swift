// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The way of a request from the call to the wire, in order.
///
/// A request is *described* before it enters (URL, head, body), and its response *validated and decoded* after it has
/// left: see ``Call``. Only the steps that are on are part of the chain; it is folded once for each configuration.
package struct Pipeline: Sendable {
    /// The user's own steps, the first outermost.
    package var interceptors: [Interceptor] = []
    /// Header fields for the requests that do not set them.
    package var defaultHeaders: [String: String] = [:]

    package init() {}

    /// The steps around a transport, as one function.
    package func around(_ transport: any Transport) -> Interceptor.Next {
        var steps = interceptors
        if !defaultHeaders.isEmpty { steps.append(.defaultFields(defaultHeaders)) }
        guard !interceptors.isEmpty else {
            return steps.around { request in try await transport.send(request) }
        }
        // A step of the user may wait where no transport hears of a cancellation, and send never or again.
        let chain = steps.around { request in
            request.options.attempts?.increment()
            return try await transport.send(request)
        }
        return { request in
            guard let scope = request.options.scope else { return try await chain(request) }
            return try await scope.run { try await chain(request) }
        }
    }
}
