// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport

/// Responds to every request: with the first route for its path and method, or with 404 or 405.
package struct Router: Sendable {
    package enum Match: Sendable {
        case route(Route, [String: String])
        /// The path has routes for these methods only.
        case otherMethods([String])
        case nothing
    }

    package let routes: [Route]

    package init(_ routes: [Route]) { self.routes = routes }

    /// Returns the first route for a method and path.
    ///
    /// A `GET` route also matches `HEAD`.
    package func match(_ method: HTTPRequest.Method, path: String) -> Match {
        let parts = PathPattern.split(path)
        var allowed: [String] = []
        for route in routes {
            guard let parameters = route.pattern.match(parts) else { continue }
            guard let taken = route.method else { return .route(route, parameters) }
            if taken == method || (taken == .get && method == .head) { return .route(route, parameters) }
            for name in taken == .get ? ["GET", "HEAD"] : [taken.rawValue] where !allowed.contains(name) {
                allowed.append(name)
            }
        }
        return allowed.isEmpty ? .nothing : .otherMethods(allowed + ["OPTIONS"])
    }

    package func answer(to request: RecordedRequest) -> StubResponse {
        switch match(request.method, path: request.path) {
        case .route(let route, let parameters):
            var request = request
            request.parameters = parameters
            return route.answer(request)
        case .otherMethods(let methods):
            let allow: HTTPFields = [.allow: methods.joined(separator: ", ")]
            if request.method == .options { return StubResponse(headerFields: allow) }
            return .error(405, message: "\(request.path) does not take \(request.method.rawValue)", headerFields: allow)
        case .nothing: return .error(404, message: "there is nothing at \(request.path)")
        }
    }

    /// Returns the response to a request whose body has not arrived; `nil` unless its route responds that early.
    package func earlyAnswer(to head: RecordedRequest) -> StubResponse? {
        guard case .route(let route, _) = match(head.method, path: head.path), route.isEarly else { return nil }
        return answer(to: head).beforeBody()
    }
}

extension StubResponse {
    /// Returns a JSON error response.
    static func error(
        _ status: HTTPResponse.Status, message: String, headerFields: HTTPFields = HTTPFields()
    ) -> StubResponse {
        let json = EchoJSON.object([("error", .string(message)), ("status", .int(status.code))])
        var response = StubResponse.json(json, status: status)
        response.headerFields.append(contentsOf: headerFields)
        return response
    }

    static func json(_ json: EchoJSON, status: HTTPResponse.Status = .ok) -> StubResponse {
        .json(json.text + "\n", status: status)
    }
}

extension RecordedRequest {
    /// Returns the first value of a query item.
    func argument(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// Returns a number from the query, clamped to bounds.
    func number<Number: LosslessStringConvertible & Comparable>(
        _ name: String, default standard: Number, in bounds: ClosedRange<Number>
    ) -> Number {
        // NaN does not equal itself, and would pass any bound.
        guard let value = argument(name).flatMap(Number.init), value == value else { return standard }
        return min(max(value, bounds.lowerBound), bounds.upperBound)
    }

    /// Returns a duration from the query, in seconds; at most ten minutes.
    func seconds(_ name: String, default standard: Double = 0) -> Duration {
        .seconds(number(name, default: standard, in: 0.0...600.0))
    }

    /// Returns a number from the path; `nil` if it is not a number or out of bounds.
    func parameter<Number: LosslessStringConvertible & Comparable>(
        _ name: String, in bounds: ClosedRange<Number>
    ) -> Number? {
        parameters[name].flatMap(Number.init).flatMap { bounds.contains($0) ? $0 : nil }
    }
}
