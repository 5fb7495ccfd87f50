// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Finds the route of a request.
package struct Router: Sendable {
    package enum Match: Sendable {
        case route(Route, [String: String])
        /// Routes of this path take other methods.
        case otherMethods([String])
        case nothing
    }

    package private(set) var routes: [Route]

    package init(_ routes: [Route]) { self.routes = routes }

    /// Adds a route before those that are there, but after those added this way before.
    package mutating func insert(_ route: Route) {
        routes.insert(route, at: insertions)
        insertions += 1
    }

    private var insertions = 0

    /// The first route for the path and method; `HEAD` is answered by the route of `GET`.
    package func match(_ method: String, _ path: String) -> Match {
        let path = PathPattern.split(path)
        var allowed: [String] = []
        for route in routes {
            guard let parameters = route.pattern.match(path) else { continue }
            guard let taken = route.method else { return .route(route, parameters) }
            if taken == method || (taken == "GET" && method == "HEAD") { return .route(route, parameters) }
            for name in taken == "GET" ? ["GET", "HEAD"] : [taken] where !allowed.contains(name) {
                allowed.append(name)
            }
        }
        return allowed.isEmpty ? .nothing : .otherMethods(allowed + ["OPTIONS"])
    }
}
