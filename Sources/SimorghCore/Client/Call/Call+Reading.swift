// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

extension Call {
    /// Makes the call and decodes JSON, or what lies at a key path inside it.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - keyPath: The way to the value, such as `"data.address.city"`; the whole body by default.
    /// - Returns: The value.
    /// - Throws: ``NetworkError``.
    @concurrent
    public func decode<Model: Decodable & Sendable>(
        _ type: Model.Type = Model.self, at keyPath: DecodableKeyPath = []
    ) async throws -> Model {
        try await execute(.decodable(type, at: keyPath))
    }

    /// Makes the call and decodes JSON at a key path, or gives another value where it cannot be decoded.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - keyPath: The way to the value.
    ///   - fallback: The value instead.
    /// - Returns: The value.
    /// - Throws: ``NetworkError``, but for ``NetworkError/decodingError(_:)`` and ``NetworkError/emptyResponse(_:)``.
    @concurrent
    public func decode<Model: Decodable & Sendable>(
        _ type: Model.Type = Model.self, at keyPath: DecodableKeyPath = [], fallback: Model
    ) async throws -> Model {
        try await execute(.decodable(type, at: keyPath).fallback(fallback))
    }

    /// Makes the call and gives the body as it is.
    ///
    /// - Returns: The body.
    /// - Throws: ``NetworkError``.
    @concurrent
    public func data() async throws -> Data {
        try await execute(.data)
    }

    /// Makes the call and gives the body as text, in the character encoding that the response names, or UTF-8.
    ///
    /// - Returns: The text; see ``CollectedResponse/string()``.
    /// - Throws: ``NetworkError``; an unknown `charset`, and bytes that are not of the encoding, are a
    ///   ``NetworkError/decodingError(_:)``.
    @concurrent
    public func string() async throws -> String {
        try await execute(.string)
    }

    /// Makes the call and gives the body as dynamic JSON.
    ///
    /// - Returns: The JSON; `null` for an empty body.
    /// - Throws: ``NetworkError``.
    @concurrent
    public func json() async throws -> JSON {
        try await execute(.json)
    }

    /// Makes the call and gives nothing: success is all.
    ///
    /// - Throws: ``NetworkError``.
    @concurrent
    public func void() async throws {
        try await execute(.void)
    }

    /// Makes the call and gives the status and the header fields, whatever the status.
    ///
    /// - Returns: The status and the fields.
    /// - Throws: ``NetworkError``; a status is never an error here.
    @concurrent
    public func status() async throws -> StatusCodeResponse {
        try await execute(.status)
    }
}
