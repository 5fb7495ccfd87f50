// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghSupport

extension MockServer {
    /// Adds the routes of httpbin and more, for requests without a rule or a queued response.
    ///
    /// - `/get`, `/post`, `/put`, `/patch`, `/delete`, `/anything`: echo the request as JSON.
    /// - `/headers`, `/ip`, `/user-agent`: echo a part of it.
    /// - `/json`, `/uuid`, `/image/png`: a document, a UUID, an image.
    /// - `/bytes/{n}?seed=&chunked`: the bytes of ``bytes(_:seed:)``.
    /// - `/gzip`, `/deflate?raw`, `/gzip/{n}`, `/deflate/{n}`: a summary of the request or bytes, compressed.
    /// - `/range/{n}`: letters that can be requested in ranges, with an `ETag`.
    /// - `/delay/{seconds}`: echoes the request after a delay.
    /// - `/drip?numbytes=&duration=&delay=&code=`: one byte at a time.
    /// - `/stream/{n}?delay=`: lines of JSON.
    /// - `/status/{n}`: a status.
    /// - `/redirect/{n}`, `/relative-redirect/{n}`, `/absolute-redirect/{n}`: redirects that end at `/get`.
    /// - `/redirect-to?url=&status_code=`: one redirect.
    /// - `/basic-auth/{user}/{password}`, `/bearer`: require credentials.
    /// - `/upload`: lists the parts of a multipart body, with size and SHA-256.
    /// - `/ws/echo`, `/ws/ticks?count=&delay=`: WebSockets.
    /// - `/sse`, `/sse/{n}?each=&retry=&delay=`: server-sent events.
    /// - `/graphql`: queries, and subscriptions over a WebSocket; any field exists, and `fail` fails.
    /// - `/fault/…`: faulty responses, such as `reset`, `stall-body`, `truncate/{n}` or `gzip-bomb/{mib}`.
    /// - `/`: lists every route.
    ///
    /// Any other path gets a 404 response, so `with(_:_:)` never fails because of a request without a rule.
    public func addHTTPBinRoutes() { state.addRoutes(.httpBin) }

    /// Returns the bytes that `/bytes/{count}?seed=` sends.
    ///
    /// - Parameters:
    ///   - count: The number of bytes.
    ///   - seed: The seed of the generator; 0 by default, as in the route.
    /// - Returns: The bytes, the same on every machine.
    public static func bytes(_ count: Int, seed: UInt64 = 0) -> Data {
        var bytes = Data()
        let source = SeededBytes(seed: seed, count: count)
        while bytes.count < count { bytes.append(contentsOf: source.chunk(at: bytes.count, upTo: count)) }
        return bytes
    }
}

extension Router {
    /// The routes of ``MockServer/addHTTPBinRoutes()``.
    package static let httpBin: Router = {
        let routes =
            Route.echoes + Route.bodies + Route.timed + Route.ranges + Route.statuses + Route.uploads
            + Route.faults + Route.realtime
        let index = routes.map { "\($0.method?.rawValue ?? "*") \($0.pattern)\n" }.joined()
        return Router([Route(.get, path: "/") { _ in .text(index) }] + routes)
    }()
}
