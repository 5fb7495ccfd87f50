// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

/// The capabilities of the sessions of a platform, as a value: the rules for each platform are tested on Linux.
package struct SessionCapabilities: Sendable {
    /// True if a suspended task continues where it was; otherwise it starts over, and bytes arrive twice.
    package var canPause: Bool
    /// True if a session reports metrics before the end of a task.
    package var reportsMetrics: Bool
    /// True if a session reads a streamed body without delaying its other tasks.
    package var streamsBodies: Bool
    /// True if a session can hold a task until there is a network.
    package var waitsForConnectivity: Bool
    /// True if a session can be told that a server supports HTTP/3.
    package var supportsHTTP3: Bool
    /// True if a session enforces `NetworkAccess`.
    package var enforcesAccess: Bool
    /// The content codings that a session decodes.
    package var codings: Set<String>
    /// True if a session decodes a body with several codings.
    package var decodesSeveralCodings: Bool
    /// True if a session can have its own TLS options and judge certificates.
    package var hasTLSOptions: Bool
    /// True if a session can have its own proxy.
    package var hasProxies: Bool
    /// Returns true if the system uses a proxy for a host; called only if sessions cannot have their own.
    package var usesSystemProxy: @Sendable (_ host: String, _ isSecure: Bool) -> Bool = { _, _ in false }

    /// The capabilities on Apple platforms.
    package static let apple = SessionCapabilities(
        canPause: true, reportsMetrics: true, streamsBodies: true, waitsForConnectivity: true, supportsHTTP3: true,
        enforcesAccess: true, codings: ["gzip", "deflate", "br"], decodesSeveralCodings: false,
        hasTLSOptions: true, hasProxies: true)

    /// The capabilities of FoundationNetworking: libcurl fails by itself on a coding that it cannot decode, and uses the
    /// proxies of the environment.
    package static let linux = SessionCapabilities(
        canPause: false, reportsMetrics: false, streamsBodies: false, waitsForConnectivity: false,
        supportsHTTP3: false, enforcesAccess: false, codings: ["gzip", "x-gzip", "deflate", "br", "zstd"],
        decodesSeveralCodings: true, hasTLSOptions: false, hasProxies: false,
        usesSystemProxy: { host, isSecure in
            // An invalid variable is libcurl's to report.
            guard let proxy = try? ProxyOptions.environment.proxy(for: host, isSecure: isSecure) else { return false }
            return proxy.port > 0
        })

    /// The capabilities on this platform.
    #if canImport(Darwin)
    package static let current = apple
    #else
    package static let current = linux
    #endif

    /// The largest number of unread bytes before a task is paused, if it can be: 256 KiB.
    private static let pauseMark = 256 * 1024

    /// The time after which a session ends a silent task whose timeouts the exchange checks: 7 days.
    static let longestTimeout = Duration.seconds(7 * 86_400)

    /// The number of unread bytes above which a task is paused or, if it cannot be paused, fails.
    ///
    /// - Parameter limit: The caller's limit, in bytes.
    /// - Returns: The number of bytes.
    package func pauseMark(limit: Int) -> Int { canPause ? min(max(0, limit), Self.pauseMark) : max(0, limit) }

    /// The number of unread bytes at which a paused task is resumed: a quarter of the other mark, 64 KiB of 256 KiB.
    ///
    /// - Parameter pauseMark: The number of unread bytes above which it was paused.
    /// - Returns: The number of bytes.
    package func resumeMark(pauseMark: Int) -> Int { pauseMark / 4 }

    /// Returns the time of silence after which a session ends a task itself (`timeoutIntervalForRequest`).
    ///
    /// The exchange checks the client's timeouts itself, so that the session's must not apply. But a session does not
    /// report that a task has stopped waiting for the network: if its request has no body, nothing tells when its timeout
    /// for the head begins. The system knows it, and its timeout does not run during the wait. It also runs between the
    /// bytes of a response, so it is longer than both timeouts of the client.
    ///
    /// - Parameter request: The request.
    /// - Returns: The time.
    package func silenceTimeout(of request: TransportRequest) -> Duration {
        let options = request.options
        guard waitsForConnectivity, options.connectivityWait == nil, request.body.isEmpty,
            let head = options.timeouts.head, let idle = options.timeouts.idle
        else { return Self.longestTimeout }
        return min(max(head, idle) + .seconds(1), Self.longestTimeout)
    }

    /// Returns the effect of a session on the content coding of a response.
    ///
    /// - Parameters:
    ///   - list: The value of `Content-Encoding`; `nil` without one.
    ///   - asksItself: True if the request has its own `Accept-Encoding`: the caller may want to decode the body.
    /// - Returns: The effect.
    package func decoding(of list: String?, asksItself: Bool) -> SessionDecoding {
        let names = list.map { ContentCodings.codings(in: $0) } ?? []
        guard !names.isEmpty else { return .unchanged }
        let known = names.allSatisfy(codings.contains)
        if known, names.count == 1 || decodesSeveralCodings { return .decoded }
        return asksItself ? .unchanged : .failed(names.joined(separator: ", "))
    }
}

/// The effect of a session on the content coding of a response.
package enum SessionDecoding: Sendable, Hashable {
    /// The body has no coding, or still has it.
    case unchanged
    /// The session has decoded the body.
    case decoded
    /// The body has these codings, which the session leaves and the caller does not expect.
    case failed(String)
}
