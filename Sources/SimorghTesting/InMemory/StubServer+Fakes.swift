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
        fake(.get, path: path, text: response, headerFields: headerFields, statusCode: statusCode, delay: delay)
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
        fake(
            .get, path: path, response: .json(response), headerFields: headerFields, statusCode: statusCode,
            delay: delay)
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
        fake(
            .post, path: path, response: .json(response), headerFields: headerFields, statusCode: statusCode,
            delay: delay)
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
        fake(
            .put, path: path, response: .json(response), headerFields: headerFields, statusCode: statusCode,
            delay: delay)
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
        fake(
            .patch, path: path, response: .json(response), headerFields: headerFields, statusCode: statusCode,
            delay: delay)
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
        fake(
            .delete, path: path, response: StubResponse(), headerFields: headerFields, statusCode: statusCode,
            delay: delay)
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
        _ method: HTTPRequest.Method, path: String, fileName: String, headerFields: [String: String] = [:],
        statusCode: Int = 200, delay: Double = 0
    ) {
        fake(
            method, path: path, response: .file(fileName), headerFields: headerFields, statusCode: statusCode,
            delay: delay)
    }

    /// Adds a response to a method and path, for the lifetime of the server.
    ///
    /// - Parameters:
    ///   - method: The method; `nil` matches all methods.
    ///   - path: The path below the server's base URL.
    ///   - response: The response; `{name}` in its text is replaced.
    public func fake(_ method: HTTPRequest.Method?, path: String, response: StubResponse) {
        var condition = below(path)
        if let method { condition = .isMethod(method) && condition }
        let name = "\(method?.rawValue ?? "*") \(fullPath(path))"
        registry.add(ScriptedRule(condition, named: name, answers: .always(response.replacingPlaceholders())))
    }

    private func fake(
        _ method: HTTPRequest.Method, path: String, text: String, headerFields: [String: String],
        statusCode: Int, delay: Double
    ) {
        fake(
            method, path: path, response: text.isEmpty ? StubResponse() : .json(text), headerFields: headerFields,
            statusCode: statusCode, delay: delay)
    }

    private func fake(
        _ method: HTTPRequest.Method, path: String, response: StubResponse, headerFields: [String: String],
        statusCode: Int, delay: Double
    ) {
        let response = response.answering(statusCode, headerFields: headerFields)
        fake(method, path: path, response: delay > 0 ? response.delayed(by: .seconds(delay)) : response)
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
