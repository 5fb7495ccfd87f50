// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCompatibility
public import SimorghCore
import SimorghSupport

extension StubServer {
    /// Answers a request with the value that it is to give.
    ///
    /// A request is meant that has this one's method, path, query items and header fields, whatever its body and whatever
    /// the client adds. A later stub for the same request takes the place of this one.
    ///
    /// - Parameters:
    ///   - output: The value, sent as JSON.
    ///   - request: The request.
    ///   - statusCode: The status; 200 by default.
    ///   - headers: The header fields.
    ///   - encoder: Encodes the value; by default with sorted keys.
    public func stub<Output: Encodable & Sendable, Failure>(
        output: Output, for request: APIRequest<Output, Failure>, statusCode: Int = 200,
        headers: [String: String] = [:], encoder: JSONEncoder? = nil
    ) {
        stub(.json(output, encoder: encoder).answering(statusCode, headers), for: request)
    }

    /// Answers a request with the error that it is to give.
    ///
    /// - Parameters:
    ///   - error: The server's own error, sent as JSON.
    ///   - request: The request.
    ///   - statusCode: The status, one that is not accepted.
    ///   - headers: The header fields.
    ///   - encoder: Encodes the error; by default with sorted keys.
    public func stub<Output, Failure: Encodable & Sendable>(
        error: Failure, for request: APIRequest<Output, Failure>, statusCode: Int, headers: [String: String] = [:],
        encoder: JSONEncoder? = nil
    ) {
        stub(.json(error, encoder: encoder).answering(statusCode, headers), for: request)
    }

    /// Answers a request with text, whatever it expects.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - request: The request.
    ///   - statusCode: The status; 200 by default.
    ///   - headers: The header fields.
    public func stub<Output, Failure>(
        text: String, for request: APIRequest<Output, Failure>, statusCode: Int = 200, headers: [String: String] = [:]
    ) {
        stub(.text(text).answering(statusCode, headers), for: request)
    }

    /// Answers a request with bytes, whatever it expects.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - request: The request.
    ///   - statusCode: The status; 200 by default.
    ///   - headers: The header fields.
    public func stub<Output, Failure>(
        data: Data, for request: APIRequest<Output, Failure>, statusCode: Int = 200, headers: [String: String] = [:]
    ) {
        stub(StubResponse(body: data).answering(statusCode, headers), for: request)
    }

    /// Answers a request with a status and no body.
    ///
    /// - Parameters:
    ///   - statusCode: The status.
    ///   - request: The request.
    ///   - headers: The header fields.
    public func stub<Output, Failure>(
        statusCode: Int, for request: APIRequest<Output, Failure>, headers: [String: String] = [:]
    ) {
        stub(StubResponse().answering(statusCode, headers), for: request)
    }

    /// Answers a request.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - request: The request.
    public func stub<Output, Failure>(_ answer: StubResponse, for request: APIRequest<Output, Failure>) {
        book.add(ScriptedRule(condition(for: request), answers: .always(answer)))
    }

    /// Which requests on the wire a typed one stands for.
    private func condition<Output, Failure>(for request: APIRequest<Output, Failure>) -> StubCondition {
        let path = fullPath(request.path)
        let wanted = Self.segments(path)
        var condition = StubCondition("\(request.method.rawValue.uppercased()) \(path)") { recorded in
            let found = Self.segments(recorded.path)
            let method = StubCondition.text("method", request.method.rawValue.uppercased()) { $0.method.rawValue }
            let isPath: Verdict =
                found == wanted
                ? .match()
                : .miss("the path is \(recorded.path), not \(path)", closeness: Verdict.likeness(recorded.path, path))
            return method.judge(recorded).and(isPath)
        }
        if let base { condition = .isScheme(base.scheme) && .isHost(base.authority) && condition }
        for item in request.parameters.items { condition = condition && .hasQuery(item.name, item.value ?? "") }
        for (name, value) in request.headers.sorted(by: { $0.key < $1.key }) {
            if let name = HTTPField.Name(name) { condition = condition && .hasHeader(name, value) }
        }
        return condition
    }

    /// The segments of a path, unescaped: how a client escapes them is its own affair.
    private static func segments(_ path: String) -> [String] {
        PathPattern.split(path).map { PercentEncoding.decodedText($0) }
    }
}
