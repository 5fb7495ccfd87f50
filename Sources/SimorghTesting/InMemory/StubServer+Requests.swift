// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCompatibility
public import SimorghCore
import SimorghSupport

extension StubServer {
    /// Stubs a typed request with its output value.
    ///
    /// It matches requests with this one's method, path, query items and header fields; the body and fields that the
    /// client adds are ignored. A later stub for the same request replaces this one.
    ///
    /// - Parameters:
    ///   - output: The value, sent as JSON.
    ///   - request: The request.
    ///   - statusCode: The status code; 200 by default.
    ///   - headers: The header fields.
    ///   - encoder: The JSON encoder; by default one with sorted keys.
    public func stub<Output: Encodable & Sendable, Failure>(
        output: Output, for request: APIRequest<Output, Failure>, statusCode: Int = 200,
        headers: [String: String] = [:], encoder: JSONEncoder? = nil
    ) {
        stub(.json(output, encoder: encoder).answering(statusCode, headerFields: headers), for: request)
    }

    /// Stubs a typed request with its error value.
    ///
    /// - Parameters:
    ///   - error: The server's error value, sent as JSON.
    ///   - request: The request.
    ///   - statusCode: The status code; one that the client does not accept.
    ///   - headers: The header fields.
    ///   - encoder: The JSON encoder; by default one with sorted keys.
    public func stub<Output, Failure: Encodable & Sendable>(
        error: Failure, for request: APIRequest<Output, Failure>, statusCode: Int, headers: [String: String] = [:],
        encoder: JSONEncoder? = nil
    ) {
        stub(.json(error, encoder: encoder).answering(statusCode, headerFields: headers), for: request)
    }

    /// Stubs a typed request with text, regardless of its output type.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - request: The request.
    ///   - statusCode: The status code; 200 by default.
    ///   - headers: The header fields.
    public func stub<Output, Failure>(
        text: String, for request: APIRequest<Output, Failure>, statusCode: Int = 200, headers: [String: String] = [:]
    ) {
        stub(.text(text).answering(statusCode, headerFields: headers), for: request)
    }

    /// Stubs a typed request with bytes, regardless of its output type.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - request: The request.
    ///   - statusCode: The status code; 200 by default.
    ///   - headers: The header fields.
    public func stub<Output, Failure>(
        data: Data, for request: APIRequest<Output, Failure>, statusCode: Int = 200, headers: [String: String] = [:]
    ) {
        stub(StubResponse(body: data).answering(statusCode, headerFields: headers), for: request)
    }

    /// Stubs a typed request with a status code and no body.
    ///
    /// - Parameters:
    ///   - statusCode: The status code.
    ///   - request: The request.
    ///   - headers: The header fields.
    public func stub<Output, Failure>(
        statusCode: Int, for request: APIRequest<Output, Failure>, headers: [String: String] = [:]
    ) {
        stub(StubResponse().answering(statusCode, headerFields: headers), for: request)
    }

    /// Stubs a typed request with a response.
    ///
    /// - Parameters:
    ///   - answer: The response.
    ///   - request: The request.
    public func stub<Output, Failure>(_ answer: StubResponse, for request: APIRequest<Output, Failure>) {
        registry.add(ScriptedRule(condition(for: request), answers: .always(answer)))
    }

    /// Returns the condition on wire requests that corresponds to a typed one.
    private func condition<Output, Failure>(for request: APIRequest<Output, Failure>) -> StubCondition {
        let path = fullPath(request.path)
        let wanted = Self.segments(path)
        var condition = StubCondition("\(request.method.rawValue.uppercased()) \(path)") { recorded in
            let found = Self.segments(recorded.path)
            let method = StubCondition.text("method", is: request.method.rawValue.uppercased()) { $0.method.rawValue }
            let isPath: MatchResult =
                found == wanted
                ? .match()
                : .miss(
                    "the path is \(recorded.path), not \(path)",
                    closeness: MatchResult.similarity(of: recorded.path, to: path))
            return method.evaluate(recorded).and(isPath)
        }
        if let base { condition = .isScheme(base.scheme) && .isHost(base.authority) && condition }
        for item in request.parameters.items { condition = condition && .hasQuery(item.name, value: item.value ?? "") }
        for (name, value) in request.headers.sorted(by: { $0.key < $1.key }) {
            if let name = HTTPField.Name(name) { condition = condition && .hasHeader(name, value: value) }
        }
        return condition
    }

    /// Returns the segments of a path, unescaped, because clients may escape them differently.
    private static func segments(_ path: String) -> [String] {
        PathPattern.split(path).map { PercentEncoding.decodedText($0) }
    }
}
