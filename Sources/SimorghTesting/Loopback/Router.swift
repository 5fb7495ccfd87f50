// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import Synchronization

/// One route: which requests it answers, what it does with their body, and how it answers.
package struct Route: Sendable {
    package enum Intake: Sendable {
        /// The answer is given when the head has come; the body is read after that, and dropped.
        case none
        /// The body is read and dropped before the answer is given.
        case dropped
        /// The body is kept for the answer.
        case kept
        /// The body is read as multipart as it comes, and only summed up.
        case multipart
    }

    package enum Answer: Sendable {
        case reply(@Sendable (LoopbackRequest) -> Reply)
        case handler(@Sendable (RecordedRequest) async throws -> StubResponse)
    }

    /// The method; `nil` for all.
    package let method: String?
    package let pattern: PathPattern
    package let intake: Intake
    package let answer: Answer

    package init(
        _ method: String?, _ path: String, intake: Intake = .dropped,
        _ reply: @escaping @Sendable (LoopbackRequest) -> Reply
    ) {
        self.method = method
        pattern = PathPattern(path)
        self.intake = intake
        answer = .reply(reply)
    }

    package init(
        method: HTTPRequest.Method?, pattern: PathPattern,
        _ handler: @escaping @Sendable (RecordedRequest) async throws -> StubResponse
    ) {
        self.method = method?.rawValue
        self.pattern = pattern
        intake = .kept
        answer = .handler(handler)
    }
}

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

/// A router that a server's connections read while routes are added.
package final class SharedRouter: Sendable {
    private let router: Mutex<Router>

    package init(_ router: Router) { self.router = Mutex(router) }

    package func insert(_ route: Route) { router.withLock { $0.insert(route) } }

    package func match(_ method: String, _ path: String) -> Router.Match {
        let router = router.withLock { $0 }
        return router.match(method, path)
    }
}
