// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
import SimorghCore

extension StubServer {
    /// Adds a response to `GET` of a path, for the lifetime of the server.
    ///
    /// In the response, including its header fields, `{name}` is replaced by the matched segment of the path:
    ///
    /// ```swift
    /// stubs.fakeGET("/users/{id}", response: #"{"id": {id}, "link": "/users/{id}"}"#)
    /// ```
    /// - Parameters:
    ///   - path: The path below the server's base URL: `{name}` matches one segment, a final `*` matches the rest.
    ///   - response: The body, JSON or other text, sent as it is.
    ///   - headerFields: The header fields; the media type is JSON unless they set another.
    ///   - statusCode: The status code; 200 by default.
    ///   - delay: The delay before the response, in seconds; 0 by default.
    public func fakeGET(
        _ path: String, response: String = "", headerFields: [String: String] = [:], statusCode: Int = 200,
        delay: Double = 0
    ) {
        fake(.get, path, text: response, headerFields, statusCode, delay)
    }

    /// Adds a JSON response to `GET` of a path, for the lifetime of the server.
    ///
    /// Replaces `{name}` in its strings.
    ///
    /// - Parameters:
    ///   - path: The path below the server's base URL.
    ///   - response: The value to encode as JSON.
    ///   - headerFields: The header fields.
    ///   - statusCode: The status code; 200 by default.
    ///   - delay: The delay before the response, in seconds; 0 by default.
    public func fakeGET(
        _ path: String, response: some Encodable & Sendable, headerFields: [String: String] = [:],
        statusCode: Int = 200, delay: Double = 0
    ) {
        fake(.get, path, .json(response), headerFields, statusCode, delay)
    }

    /// Adds a JSON response to `POST` of a path.
    ///
    /// Replaces `{name}` in its strings.
    ///
    /// - Parameters:
    ///   - path: The path below the server's base URL.
    ///   - response: The value to encode as JSON.
    ///   - headerFields: The header fields.
    ///   - statusCode: The status code; 200 by default.
    ///   - delay: The delay before the response, in seconds; 0 by default.
    public func fakePOST(
        _ path: String, response: some Encodable & Sendable, headerFields: [String: String] = [:],
        statusCode: Int = 200, delay: Double = 0
    ) {
        fake(.post, path, .json(response), headerFields, statusCode, delay)
    }

    /// Adds a JSON response to `PUT` of a path.
    ///
    /// - Parameters:
    ///   - path: The path below the server's base URL.
    ///   - response: The value to encode as JSON.
    ///   - headerFields: The header fields.
    ///   - statusCode: The status code; 200 by default.
    ///   - delay: The delay before the response, in seconds; 0 by default.
    public func fakePUT(
        _ path: String, response: some Encodable & Sendable, headerFields: [String: String] = [:],
        statusCode: Int = 200, delay: Double = 0
    ) {
        fake(.put, path, .json(response), headerFields, statusCode, delay)
    }

    /// Adds a JSON response to `PATCH` of a path.
    ///
    /// - Parameters:
    ///   - path: The path below the server's base URL.
    ///   - response: The value to encode as JSON.
    ///   - headerFields: The header fields.
    ///   - statusCode: The status code; 200 by default.
    ///   - delay: The delay before the response, in seconds; 0 by default.
    public func fakePATCH(
        _ path: String, response: some Encodable & Sendable, headerFields: [String: String] = [:],
        statusCode: Int = 200, delay: Double = 0
    ) {
        fake(.patch, path, .json(response), headerFields, statusCode, delay)
    }

    /// Adds an empty response to `DELETE` of a path.
    ///
    /// - Parameters:
    ///   - path: The path below the server's base URL.
    ///   - headerFields: The header fields.
    ///   - statusCode: The status code; 204 by default.
    ///   - delay: The delay before the response, in seconds; 0 by default.
    public func fakeDELETE(
        _ path: String, headerFields: [String: String] = [:], statusCode: Int = 204, delay: Double = 0
    ) {
        fake(.delete, path, StubResponse(), headerFields, statusCode, delay)
    }

    /// Adds a response to a method and path from a file.
    ///
    /// Replaces `{name}` in its text.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path below the server's base URL.
    ///   - fileName: The path of the file.
    ///   - headerFields: The header fields; the media type is that of the file unless they set another.
    ///   - statusCode: The status code; 200 by default.
    ///   - delay: The delay before the response, in seconds; 0 by default.
    public func fake(
        _ method: HTTPRequest.Method, _ path: String, fileName: String, headerFields: [String: String] = [:],
        statusCode: Int = 200, delay: Double = 0
    ) {
        fake(method, path, .file(fileName), headerFields, statusCode, delay)
    }

    /// Adds a response to a method and path, for the lifetime of the server.
    ///
    /// - Parameters:
    ///   - method: The method; `nil` matches all methods.
    ///   - path: The path below the server's base URL.
    ///   - answer: The response; `{name}` in its text is replaced.
    public func fake(_ method: HTTPRequest.Method?, _ path: String, _ answer: StubResponse) {
        var condition = below(path)
        if let method { condition = .isMethod(method) && condition }
        let name = "\(method?.rawValue ?? "*") \(fullPath(path))"
        book.add(ScriptedRule(condition, named: name, answers: .always(answer.replacingPlaceholders())))
    }

    private func fake(
        _ method: HTTPRequest.Method, _ path: String, text: String, _ headerFields: [String: String],
        _ statusCode: Int, _ delay: Double
    ) {
        fake(method, path, text.isEmpty ? StubResponse() : .json(text), headerFields, statusCode, delay)
    }

    private func fake(
        _ method: HTTPRequest.Method, _ path: String, _ answer: StubResponse, _ headerFields: [String: String],
        _ statusCode: Int, _ delay: Double
    ) {
        let answer = answer.answering(statusCode, headerFields)
        fake(method, path, delay > 0 ? answer.delayed(by: .seconds(delay)) : answer)
    }

    /// Returns the path below the base URL's path, with a leading slash.
    func fullPath(_ path: String) -> String {
        (base?.pathPrefix ?? "") + (path.behind(first: "/") != nil || path.isEmpty ? path : "/\(path)")
    }

    /// Returns a condition on the base URL's host and a path below its own.
    func below(_ path: String) -> StubCondition {
        let condition = StubCondition.path(fullPath(path))
        guard let base else { return condition }
        return .isScheme(base.scheme) && .isHost(base.authority) && condition
    }
}
