// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

extension Call {
    /// Makes the call and decodes the body by the codecs, by default as JSON, or the value at a key path in JSON.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - keyPath: The path to the value, such as `"data.address.city"`. Default: the whole body.
    /// - Returns: The value.
    /// - Throws: ``NetworkError``.
    @concurrent
    public func decode<Model: Decodable & Sendable>(
        _ type: Model.Type = Model.self, at keyPath: DecodableKeyPath = []
    ) async throws -> Model {
        try await execute(.decodable(type, at: keyPath))
    }

    /// Makes the call and decodes the value at a key path, or returns a fallback if decoding fails.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - keyPath: The path to the value.
    ///   - fallback: The value to return if decoding fails.
    /// - Returns: The value.
    /// - Throws: ``NetworkError``, except ``NetworkError/decodingError(_:)`` and ``NetworkError/emptyResponse(_:)``.
    @concurrent
    public func decode<Model: Decodable & Sendable>(
        _ type: Model.Type = Model.self, at keyPath: DecodableKeyPath = [], fallback: Model
    ) async throws -> Model {
        try await execute(.decodable(type, at: keyPath).fallback(fallback))
    }

    /// Makes the call and returns the body.
    ///
    /// - Returns: The body.
    /// - Throws: ``NetworkError``.
    @concurrent
    public func data() async throws -> Data {
        try await execute(.data)
    }

    /// Makes the call and returns the body as text, in the character encoding of the response or else UTF-8.
    ///
    /// - Returns: The text; see ``CollectedResponse/string()``.
    /// - Throws: ``NetworkError``. An unknown `charset`, or bytes that are invalid in the encoding, throw
    ///   ``NetworkError/decodingError(_:)``.
    @concurrent
    public func string() async throws -> String {
        try await execute(.string)
    }

    /// Makes the call and returns the body as dynamic JSON.
    ///
    /// - Returns: The JSON; `null` for an empty body.
    /// - Throws: ``NetworkError``.
    @concurrent
    public func json() async throws -> JSON {
        try await execute(.json)
    }

    /// Makes the call and discards the body.
    ///
    /// - Throws: ``NetworkError``.
    @concurrent
    public func void() async throws {
        try await execute(.void)
    }

    /// Makes the call and returns the status, whatever it is, and the header fields.
    ///
    /// - Returns: The status and the fields.
    /// - Throws: ``NetworkError``; a status is never an error here.
    @concurrent
    public func status() async throws -> StatusCodeResponse {
        try await execute(.status)
    }
}
