// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

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
