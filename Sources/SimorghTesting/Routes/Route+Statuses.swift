// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore

extension Route {
    /// Routes about the status, the time and the way of an answer.
    package static let statuses: [Route] = [
        Route(nil, "/status/{n}") { request in
            guard let status = request.parameter("n", in: 200...599) else {
                return .error(400, "/status/{n} takes 200 to 599")
            }
            switch status {
            case 301, 302, 303, 307, 308: return .status(status, [("Location", "/redirect/1")])
            case 401: return .status(status, [("WWW-Authenticate", #"Basic realm="loopback""#)])
            default: return .status(status)
            }
        }
    ]
}
