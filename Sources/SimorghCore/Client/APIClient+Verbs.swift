// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension APIClient {
    /// Sends `GET` and decodes the JSON response.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL, or an absolute URL if the client has no base URL.
    ///   - query: The query items.
    ///   - headers: The header fields. They override the client's.
    /// - Returns: The value.
    /// - Throws: ``NetworkError``.
    public func get<Model: Decodable & Sendable>(
        _ path: String, query: QueryItems = QueryItems(), headers: [String: String] = [:]
    ) async throws -> Model {
        try await call(.get, path, query: query, headers: headers).decode()
    }

    /// Sends `POST` with a body and decodes the JSON response.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL, or an absolute URL if the client has no base URL.
    ///   - query: The query items.
    ///   - headers: The header fields. They override the client's.
    ///   - body: The body: `.json(user)`, `.form(login)`, `.bytes(data)`…
    /// - Returns: The value.
    /// - Throws: ``NetworkError``.
    public func post<Model: Decodable & Sendable>(
        _ path: String, query: QueryItems = QueryItems(), headers: [String: String] = [:], body: RequestBody = .empty
    ) async throws -> Model {
        try await call(.post, path, query: query, headers: headers, body: body).decode()
    }

    /// Sends `POST` with a body and discards the response body.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL, or an absolute URL if the client has no base URL.
    ///   - query: The query items.
    ///   - headers: The header fields. They override the client's.
    ///   - body: The body.
    /// - Throws: ``NetworkError``.
    public func post(
        _ path: String, query: QueryItems = QueryItems(), headers: [String: String] = [:], body: RequestBody = .empty
    ) async throws {
        try await call(.post, path, query: query, headers: headers, body: body).void()
    }

    /// Sends `PUT` with a body and decodes the JSON response.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL, or an absolute URL if the client has no base URL.
    ///   - query: The query items.
    ///   - headers: The header fields. They override the client's.
    ///   - body: The body.
    /// - Returns: The value.
    /// - Throws: ``NetworkError``.
    public func put<Model: Decodable & Sendable>(
        _ path: String, query: QueryItems = QueryItems(), headers: [String: String] = [:], body: RequestBody = .empty
    ) async throws -> Model {
        try await call(.put, path, query: query, headers: headers, body: body).decode()
    }

    /// Sends `PUT` with a body and discards the response body.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL, or an absolute URL if the client has no base URL.
    ///   - query: The query items.
    ///   - headers: The header fields. They override the client's.
    ///   - body: The body.
    /// - Throws: ``NetworkError``.
    public func put(
        _ path: String, query: QueryItems = QueryItems(), headers: [String: String] = [:], body: RequestBody = .empty
    ) async throws {
        try await call(.put, path, query: query, headers: headers, body: body).void()
    }

    /// Sends `PATCH` with a body and decodes the JSON response.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL, or an absolute URL if the client has no base URL.
    ///   - query: The query items.
    ///   - headers: The header fields. They override the client's.
    ///   - body: The body.
    /// - Returns: The value.
    /// - Throws: ``NetworkError``.
    public func patch<Model: Decodable & Sendable>(
        _ path: String, query: QueryItems = QueryItems(), headers: [String: String] = [:], body: RequestBody = .empty
    ) async throws -> Model {
        try await call(.patch, path, query: query, headers: headers, body: body).decode()
    }

    /// Sends `PATCH` with a body and discards the response body.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL, or an absolute URL if the client has no base URL.
    ///   - query: The query items.
    ///   - headers: The header fields. They override the client's.
    ///   - body: The body.
    /// - Throws: ``NetworkError``.
    public func patch(
        _ path: String, query: QueryItems = QueryItems(), headers: [String: String] = [:], body: RequestBody = .empty
    ) async throws {
        try await call(.patch, path, query: query, headers: headers, body: body).void()
    }

    /// Sends `DELETE` and decodes the JSON response.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL, or an absolute URL if the client has no base URL.
    ///   - query: The query items.
    ///   - headers: The header fields. They override the client's.
    ///   - body: The body. Most servers expect none.
    /// - Returns: The value.
    /// - Throws: ``NetworkError``.
    public func delete<Model: Decodable & Sendable>(
        _ path: String, query: QueryItems = QueryItems(), headers: [String: String] = [:], body: RequestBody = .empty
    ) async throws -> Model {
        try await call(.delete, path, query: query, headers: headers, body: body).decode()
    }

    /// Sends `DELETE` and discards the response body.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL, or an absolute URL if the client has no base URL.
    ///   - query: The query items.
    ///   - headers: The header fields. They override the client's.
    ///   - body: The body. Most servers expect none.
    /// - Throws: ``NetworkError``.
    public func delete(
        _ path: String, query: QueryItems = QueryItems(), headers: [String: String] = [:], body: RequestBody = .empty
    ) async throws {
        try await call(.delete, path, query: query, headers: headers, body: body).void()
    }

    /// Sends `HEAD` and returns the status, whatever it is, and the header fields.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL, or an absolute URL if the client has no base URL.
    ///   - query: The query items.
    ///   - headers: The header fields. They override the client's.
    /// - Returns: The status and the fields.
    /// - Throws: ``NetworkError``; a status is never an error here.
    public func head(
        _ path: String, query: QueryItems = QueryItems(), headers: [String: String] = [:]
    ) async throws -> StatusCodeResponse {
        try await call(.head, path, query: query, headers: headers).status()
    }

    /// Sends `OPTIONS` and returns the status, whatever it is, and the header fields, including `Allow`.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL, or an absolute URL if the client has no base URL.
    ///   - query: The query items.
    ///   - headers: The header fields. They override the client's.
    /// - Returns: The status and the fields.
    /// - Throws: ``NetworkError``; a status is never an error here.
    public func options(
        _ path: String, query: QueryItems = QueryItems(), headers: [String: String] = [:]
    ) async throws -> StatusCodeResponse {
        try await call(.options, path, query: query, headers: headers).status()
    }
}
