// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
import SimorghCore

extension StubServer {
    /// Answers `GET` of a path, for as long as the server lives.
    ///
    /// In the answer, `{name}` becomes what stood in that place of the path, in the header fields, too:
    ///
    /// ```swift
    /// stubs.fakeGET("/users/{id}", response: #"{"id": {id}, "link": "/users/{id}"}"#)
    /// ```
    /// - Parameters:
    ///   - path: The path below the server's base URL: `{name}` stands for one segment, `*` at the end for the rest.
    ///   - response: The body, JSON or other text as it is written.
    ///   - headerFields: The header fields; the media type is JSON unless they say another.
    ///   - statusCode: The status; 200 by default.
    ///   - delay: How long the answer is waited for, in seconds; no time by default.
    public func fakeGET(
        _ path: String, response: String = "", headerFields: [String: String] = [:], statusCode: Int = 200,
        delay: Double = 0
    ) {
        fake(.get, path, text: response, headerFields, statusCode, delay)
    }

    /// Answers `GET` of a path with a value as JSON, `{name}` in its texts filled in, for as long as the server lives.
    ///
    /// - Parameters:
    ///   - path: The path below the server's base URL.
    ///   - response: The value.
    ///   - headerFields: The header fields.
    ///   - statusCode: The status; 200 by default.
    ///   - delay: How long the answer is waited for, in seconds; no time by default.
    public func fakeGET(
        _ path: String, response: some Encodable & Sendable, headerFields: [String: String] = [:],
        statusCode: Int = 200, delay: Double = 0
    ) {
        fake(.get, path, .json(response), headerFields, statusCode, delay)
    }

    /// Answers `POST` of a path with a value as JSON, `{name}` in its texts filled in.
    ///
    /// - Parameters:
    ///   - path: The path below the server's base URL.
    ///   - response: The value.
    ///   - headerFields: The header fields.
    ///   - statusCode: The status; 200 by default.
    ///   - delay: How long the answer is waited for, in seconds; no time by default.
    public func fakePOST(
        _ path: String, response: some Encodable & Sendable, headerFields: [String: String] = [:],
        statusCode: Int = 200, delay: Double = 0
    ) {
        fake(.post, path, .json(response), headerFields, statusCode, delay)
    }

    /// Answers `PUT` of a path with a value as JSON.
    ///
    /// - Parameters:
    ///   - path: The path below the server's base URL.
    ///   - response: The value.
    ///   - headerFields: The header fields.
    ///   - statusCode: The status; 200 by default.
    ///   - delay: How long the answer is waited for, in seconds; no time by default.
    public func fakePUT(
        _ path: String, response: some Encodable & Sendable, headerFields: [String: String] = [:],
        statusCode: Int = 200, delay: Double = 0
    ) {
        fake(.put, path, .json(response), headerFields, statusCode, delay)
    }

    /// Answers `PATCH` of a path with a value as JSON.
    ///
    /// - Parameters:
    ///   - path: The path below the server's base URL.
    ///   - response: The value.
    ///   - headerFields: The header fields.
    ///   - statusCode: The status; 200 by default.
    ///   - delay: How long the answer is waited for, in seconds; no time by default.
    public func fakePATCH(
        _ path: String, response: some Encodable & Sendable, headerFields: [String: String] = [:],
        statusCode: Int = 200, delay: Double = 0
    ) {
        fake(.patch, path, .json(response), headerFields, statusCode, delay)
    }

    /// Answers `DELETE` of a path with a status and nothing else.
    ///
    /// - Parameters:
    ///   - path: The path below the server's base URL.
    ///   - headerFields: The header fields.
    ///   - statusCode: The status; 204 by default.
    ///   - delay: How long the answer is waited for, in seconds; no time by default.
    public func fakeDELETE(
        _ path: String, headerFields: [String: String] = [:], statusCode: Int = 204, delay: Double = 0
    ) {
        fake(.delete, path, StubResponse(), headerFields, statusCode, delay)
    }

    /// Answers requests of a method and path with a file, `{name}` in its text filled in.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path below the server's base URL.
    ///   - fileName: The file's path.
    ///   - headerFields: The header fields; the media type is that of the file unless they say another.
    ///   - statusCode: The status; 200 by default.
    ///   - delay: How long the answer is waited for, in seconds; no time by default.
    public func fake(
        _ method: HTTPRequest.Method, _ path: String, fileName: String, headerFields: [String: String] = [:],
        statusCode: Int = 200, delay: Double = 0
    ) {
        fake(method, path, .file(fileName), headerFields, statusCode, delay)
    }

    /// Answers requests of a method and path, for as long as the server lives.
    ///
    /// - Parameters:
    ///   - method: The method; `nil` for all.
    ///   - path: The path below the server's base URL.
    ///   - answer: The answer; `{name}` in its text is filled in.
    public func fake(_ method: HTTPRequest.Method?, _ path: String, _ answer: StubResponse) {
        var condition = below(path)
        if let method { condition = .isMethod(method) && condition }
        let name = "\(method?.rawValue ?? "*") \(fullPath(path))"
        book.add(ScriptedRule(condition, named: name, answers: .always(answer.fillingPlaces())))
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

    /// The path below the base URL's, with a slash before it.
    func fullPath(_ path: String) -> String {
        (base?.pathPrefix ?? "") + (path.behind(first: "/") != nil || path.isEmpty ? path : "/\(path)")
    }

    /// Requests to the base URL's host and a path below its own.
    func below(_ path: String) -> StubCondition {
        let condition = StubCondition.path(fullPath(path))
        guard let base else { return condition }
        return .isScheme(base.scheme) && .isHost(base.authority) && condition
    }
}
