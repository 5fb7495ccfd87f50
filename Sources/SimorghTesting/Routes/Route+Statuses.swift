// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport

extension Route {
    /// Routes for status codes, redirects and credentials.
    package static let statuses: [Route] =
        [
            Route(nil, path: "/status/{n}") { request in
                guard let status = request.parameter("n", in: 200...599) else {
                    return .error(400, message: "/status/{n} takes 200 to 599")
                }
                let answer = StubResponse.status(.init(code: status))
                switch status {
                case 301, 302, 303, 307, 308: return answer.header(.location, value: "/redirect/1")
                case 401: return answer.header(.wwwAuthenticate, value: basic)
                default: return answer
                }
            },
            Route(nil, path: "/redirect/{n}") { redirect($0, prefix: "", path: "/redirect") },
            Route(nil, path: "/relative-redirect/{n}") { redirect($0, prefix: "", path: "/relative-redirect") },
            Route(nil, path: "/absolute-redirect/{n}") { request in
                let origin = "\(request.head.scheme ?? "http")://\(request.head.authority ?? "127.0.0.1")"
                return redirect(request, prefix: origin, path: "/absolute-redirect")
            },
            Route(nil, path: "/redirect-to") { request in
                guard let url = request.argument("url"), isFieldValue(url) else {
                    return .error(400, message: "/redirect-to takes ?url=, and ?status_code=")
                }
                return redirect(to: url, status: request.number("status_code", default: 302, in: 300...399))
            },
            Route(.get, path: "/basic-auth/{user}/{password}") { request in
                let user = request.parameters["user"] ?? ""
                let wanted = "\(user):\(request.parameters["password"] ?? "")"
                guard let given = credentials(of: request, scheme: "basic"), let bytes = Data(base64Encoded: given),
                    bytes == Data(wanted.utf8)
                else { return .status(.unauthorized).header(.wwwAuthenticate, value: basic) }
                return .json(.object([("authenticated", .bool(true)), ("user", .string(user))]))
            },
            Route(.get, path: "/bearer") { request in
                guard let token = credentials(of: request, scheme: "bearer"), !token.isEmpty else {
                    return .status(.unauthorized).header(.wwwAuthenticate, value: "Bearer")
                }
                return .json(.object([("authenticated", .bool(true)), ("token", .string(token))]))
            },
        ]

    private static func redirect(_ request: RecordedRequest, prefix: String, path: String) -> StubResponse {
        guard let count = request.parameter("n", in: 1...1000) else {
            return .error(400, message: "\(path)/{n} takes 1 to 1000")
        }
        let query = Target(request.head.path ?? "/").query.map { "?\($0)" } ?? ""
        let location = count == 1 ? "\(prefix)/get" : "\(prefix)\(path)/\(count - 1)\(query)"
        return redirect(to: location, status: request.number("status", default: 302, in: 300...399))
    }

    private static func redirect(to location: String, status: Int) -> StubResponse {
        .status(.init(code: status)).header(.location, value: location)
    }

    private static let basic = #"Basic realm="loopback""#

    private static func credentials(of request: RecordedRequest, scheme: String) -> String? {
        guard let value = request.header(.authorization) else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == scheme else { return nil }
        return String(parts[1].trimmingBlanks)
    }

    private static func isFieldValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}
