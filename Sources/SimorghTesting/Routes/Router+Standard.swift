// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension Router {
    /// The routes that every server has.
    package static let standard: Router = {
        let routes =
            Route.echoes + Route.bodies + Route.timed + Route.ranges + Route.statuses + Route.uploads
            + Route.faults + Route.realtime
        var names: [String] = []
        for route in routes {
            let name = "\(route.method ?? "*") \(route.pattern)"
            if !names.contains(name) { names.append(name) }
        }
        let index = names.joined(separator: "\n") + "\n"
        return Router([Route("GET", "/") { _ in .text(index) }] + routes)
    }()
}
