// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension APIClient {
    /// Gets a path and decodes its JSON.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL; a whole URL where the client has none.
    ///   - query: The query's fields.
    ///   - headers: Header fields; they win over the client's.
    /// - Returns: The value.
    /// - Throws: ``NetworkError``.
    public func get<Model: Decodable & Sendable>(
        _ path: String, query: QueryItems = QueryItems(), headers: [String: String] = [:]
    ) async throws -> Model {
        try await call(.get, path, query: query, headers: headers).decode()
    }

    /// Posts a body and decodes the JSON that comes back.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL; a whole URL where the client has none.
    ///   - query: The query's fields.
    ///   - headers: Header fields; they win over the client's.
    ///   - body: The body: `.json(user)`, `.form(login)`, `.bytes(data)`…
    /// - Returns: The value.
    /// - Throws: ``NetworkError``.
    public func post<Model: Decodable & Sendable>(
        _ path: String, query: QueryItems = QueryItems(), headers: [String: String] = [:], body: RequestBody = .empty
    ) async throws -> Model {
        try await call(.post, path, query: query, headers: headers, body: body).decode()
    }

    /// Posts a body; success is all.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL; a whole URL where the client has none.
    ///   - query: The query's fields.
    ///   - headers: Header fields; they win over the client's.
    ///   - body: The body.
    /// - Throws: ``NetworkError``.
    public func post(
        _ path: String, query: QueryItems = QueryItems(), headers: [String: String] = [:], body: RequestBody = .empty
    ) async throws {
        try await call(.post, path, query: query, headers: headers, body: body).void()
    }

    /// Puts a body and decodes the JSON that comes back.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL; a whole URL where the client has none.
    ///   - query: The query's fields.
    ///   - headers: Header fields; they win over the client's.
    ///   - body: The body.
    /// - Returns: The value.
    /// - Throws: ``NetworkError``.
    public func put<Model: Decodable & Sendable>(
        _ path: String, query: QueryItems = QueryItems(), headers: [String: String] = [:], body: RequestBody = .empty
    ) async throws -> Model {
        try await call(.put, path, query: query, headers: headers, body: body).decode()
    }

    /// Puts a body; success is all.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL; a whole URL where the client has none.
    ///   - query: The query's fields.
    ///   - headers: Header fields; they win over the client's.
    ///   - body: The body.
    /// - Throws: ``NetworkError``.
    public func put(
        _ path: String, query: QueryItems = QueryItems(), headers: [String: String] = [:], body: RequestBody = .empty
    ) async throws {
        try await call(.put, path, query: query, headers: headers, body: body).void()
    }

    /// Patches with a body and decodes the JSON that comes back.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL; a whole URL where the client has none.
    ///   - query: The query's fields.
    ///   - headers: Header fields; they win over the client's.
    ///   - body: The body.
    /// - Returns: The value.
    /// - Throws: ``NetworkError``.
    public func patch<Model: Decodable & Sendable>(
        _ path: String, query: QueryItems = QueryItems(), headers: [String: String] = [:], body: RequestBody = .empty
    ) async throws -> Model {
        try await call(.patch, path, query: query, headers: headers, body: body).decode()
    }

    /// Patches with a body; success is all.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL; a whole URL where the client has none.
    ///   - query: The query's fields.
    ///   - headers: Header fields; they win over the client's.
    ///   - body: The body.
    /// - Throws: ``NetworkError``.
    public func patch(
        _ path: String, query: QueryItems = QueryItems(), headers: [String: String] = [:], body: RequestBody = .empty
    ) async throws {
        try await call(.patch, path, query: query, headers: headers, body: body).void()
    }

    /// Deletes a path and decodes the JSON that comes back.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL; a whole URL where the client has none.
    ///   - query: The query's fields.
    ///   - headers: Header fields; they win over the client's.
    ///   - body: The body; most servers expect none.
    /// - Returns: The value.
    /// - Throws: ``NetworkError``.
    public func delete<Model: Decodable & Sendable>(
        _ path: String, query: QueryItems = QueryItems(), headers: [String: String] = [:], body: RequestBody = .empty
    ) async throws -> Model {
        try await call(.delete, path, query: query, headers: headers, body: body).decode()
    }

    /// Deletes a path; success is all.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL; a whole URL where the client has none.
    ///   - query: The query's fields.
    ///   - headers: Header fields; they win over the client's.
    ///   - body: The body; most servers expect none.
    /// - Throws: ``NetworkError``.
    public func delete(
        _ path: String, query: QueryItems = QueryItems(), headers: [String: String] = [:], body: RequestBody = .empty
    ) async throws {
        try await call(.delete, path, query: query, headers: headers, body: body).void()
    }

    /// Asks for the head of a path: its status, whatever it is, and its header fields.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL; a whole URL where the client has none.
    ///   - query: The query's fields.
    ///   - headers: Header fields; they win over the client's.
    /// - Returns: The status and the fields.
    /// - Throws: ``NetworkError``; a status is never an error here.
    public func head(
        _ path: String, query: QueryItems = QueryItems(), headers: [String: String] = [:]
    ) async throws -> StatusCodeResponse {
        try await call(.head, path, query: query, headers: headers).status()
    }

    /// Asks what a path allows: its status, whatever it is, and its header fields, `Allow` among them.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL; a whole URL where the client has none.
    ///   - query: The query's fields.
    ///   - headers: Header fields; they win over the client's.
    /// - Returns: The status and the fields.
    /// - Throws: ``NetworkError``; a status is never an error here.
    public func options(
        _ path: String, query: QueryItems = QueryItems(), headers: [String: String] = [:]
    ) async throws -> StatusCodeResponse {
        try await call(.options, path, query: query, headers: headers).status()
    }
}
