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
    /// Where the routes are whose path begins with a segment, and, under `nil`, those that may begin with any.
    private var places: [String?: [Int]] = [:]
    private var insertions = 0

    package init(_ routes: [Route]) {
        self.routes = routes
        place()
    }

    /// Adds a route before those that are there, but after those added this way before.
    package mutating func insert(_ route: Route) {
        routes.insert(route, at: insertions)
        insertions += 1
        place()
    }

    private mutating func place() {
        places = [:]
        for (index, route) in routes.enumerated() {
            places[route.pattern.firstSegment, default: []].append(index)
        }
    }

    /// The first route for the path and method; `HEAD` is answered by the route of `GET`.
    package func match(_ method: String, _ path: String) -> Match {
        let path = PathPattern.split(path)
        var candidates = places[path.first.map(String.init) ?? ""] ?? []
        if let anywhere = places[nil] { candidates = (candidates + anywhere).sorted() }
        var allowed: [String] = []
        for route in candidates.lazy.map({ routes[$0] }) {
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
