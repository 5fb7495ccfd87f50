// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import SimorghTesting

extension MockServer {
    /// A way to reach a server: a version of HTTP, with or without TLS.
    enum Way: CaseIterable, Sendable {
        case http1, http2, secureHTTP1, secureHTTP2

        var isSecure: Bool { self == .secureHTTP1 || self == .secureHTTP2 }
        var isHTTP2: Bool { self == .http2 || self == .secureHTTP2 }

        func configuration(_ time: TimeSource = .system) throws -> Configuration {
            var configuration = Configuration()
            configuration.time = time
            if isSecure { configuration.tls = try TLS() }
            return configuration
        }
    }

    /// Sends a request for a path to the server.
    func ask(
        _ way: Way, _ method: HTTPRequest.Method = .get, _ path: String = "/", body: RequestBody = .empty,
        fields: HTTPFields = HTTPFields(), over transport: NIOTransport = NIOTransport(),
        _ change: (inout TransportOptions) -> Void = { _ in }
    ) async throws(TransportError) -> Answer {
        try await transport.ask(method, url + path, body: body, fields: fields) { options in
            options.tls = clientConfiguration.tls
            options.httpVersion = way.isHTTP2 ? .http2PriorKnowledge : .http1Only
            // Timeouts are long, so that no test depends on the speed of the machine.
            let hour = Duration.seconds(3600)
            (options.timeouts.queue, options.timeouts.connect, options.timeouts.tls) = (hour, hour, hour)
            (options.timeouts.head, options.timeouts.idle, options.timeouts.total) = (hour, hour, hour)
            change(&options)
        }
    }
}
