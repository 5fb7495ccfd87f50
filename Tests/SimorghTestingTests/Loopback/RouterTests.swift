// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RouterTests {
    private static func router() -> Router {
        var router = Router([
            Route("GET", "/a/{x}") { _ in .status(1) }, Route(nil, "/a/b") { _ in .status(2) },
            Route("POST", "/a/{x}") { _ in .status(3) }, Route("GET", "/") { _ in .status(4) },
        ])
        router.insert(Route("GET", "/{any}/b") { _ in .status(5) })
        router.insert(Route("GET", "/a/*") { _ in .status(6) })
        return router
    }

    @Test(
        "The first route that fits is taken: added ones before those that were there, each in their order",
        arguments: [
            ("GET", "/a/b", "5"), ("GET", "/z/b", "5"), ("GET", "/a/c", "6"), ("GET", "/a", "6"), ("HEAD", "/a/c", "6"),
            ("POST", "/a/b", "2"), ("POST", "/a/c", "3"), ("GET", "/", "4"), ("HEAD", "/", "4"),
            ("POST", "/", "GET HEAD OPTIONS"), ("PUT", "/a/c", "GET HEAD POST OPTIONS"), ("GET", "/z", "nothing"),
            ("GET", "/z/c", "nothing"),
        ])
    func order(method: String, path: String, expected: String) {
        let found =
            switch Self.router().match(method, path) {
            case .nothing: "nothing"
            case .otherMethods(let methods): methods.joined(separator: " ")
            case .route(let route, _): status(of: route)
            }
        #expect(found == expected)
    }

    private func status(of route: Route) -> String {
        guard case .reply(let reply) = route.answer,
            case .message(let message) = reply(LoopbackRequest(method: "GET", target: "/"))
        else { return "no reply" }
        return "\(message.status)"
    }
}
