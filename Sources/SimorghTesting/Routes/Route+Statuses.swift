// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore
import SimorghSupport

extension Route {
    /// Routes about the status of an answer: statuses, redirects and credentials.
    package static let statuses: [Route] =
        [
            Route(nil, "/status/{n}") { request in
                guard let status = request.parameter("n", in: 200...599) else {
                    return .error(400, "/status/{n} takes 200 to 599")
                }
                switch status {
                case 301, 302, 303, 307, 308: return .status(status, [("Location", "/redirect/1")])
                case 401: return .status(status, [("WWW-Authenticate", #"Basic realm="loopback""#)])
                default: return .status(status)
                }
            },
            Route(nil, "/redirect/{n}") { redirect($0, prefix: "", "/redirect") },
            Route(nil, "/relative-redirect/{n}") { redirect($0, prefix: "", "/relative-redirect") },
            Route(nil, "/absolute-redirect/{n}") { request in
                let origin = "\(request.isSecure ? "https" : "http")://\(request.field("host") ?? "127.0.0.1")"
                return redirect(request, prefix: origin, "/absolute-redirect")
            },
            Route(nil, "/redirect-to") { request in
                guard let url = request.argument("url"), isFieldValue(url) else {
                    return .error(400, "/redirect-to takes ?url=, and ?status_code=")
                }
                return .status(request.number("status_code", default: 302, in: 300...399), [("Location", url)])
            },
            Route("GET", "/basic-auth/{user}/{password}") { request in
                let user = request.parameters["user"] ?? ""
                let wanted = "\(user):\(request.parameters["password"] ?? "")"
                guard let given = credentials(of: request, scheme: "basic"), let bytes = Data(base64Encoded: given),
                    bytes == Data(wanted.utf8)
                else { return .status(401, [("WWW-Authenticate", #"Basic realm="loopback""#)]) }
                return .json(.object([("authenticated", .bool(true)), ("user", .string(user))]))
            },
            Route("GET", "/bearer") { request in
                guard let token = credentials(of: request, scheme: "bearer"), !token.isEmpty else {
                    return .status(401, [("WWW-Authenticate", "Bearer")])
                }
                return .json(.object([("authenticated", .bool(true)), ("token", .string(token))]))
            },
        ]

    private static func redirect(_ request: LoopbackRequest, prefix: String, _ path: String) -> Reply {
        guard let count = request.parameter("n", in: 1...1000) else {
            return .error(400, "\(path)/{n} takes 1 to 1000")
        }
        let query = request.target.query.map { "?\($0)" } ?? ""
        let location = count == 1 ? "\(prefix)/get" : "\(prefix)\(path)/\(count - 1)\(query)"
        return .status(request.number("status", default: 302, in: 300...399), [("Location", location)])
    }

    private static func credentials(of request: LoopbackRequest, scheme: String) -> String? {
        guard let value = request.field("authorization") else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == scheme else { return nil }
        return String(parts[1].trimmingBlanks)
    }

    private static func isFieldValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}
