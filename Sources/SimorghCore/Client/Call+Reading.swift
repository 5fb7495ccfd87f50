// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Call {
    /// Makes the call and decodes JSON, or what lies at a key path inside it.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - keyPath: The way to the value, such as `"data.address.city"`; the whole body by default.
    /// - Returns: The value.
    /// - Throws: ``NetworkError``.
    public func decode<Model: Decodable & Sendable>(
        _ type: Model.Type = Model.self, at keyPath: DecodableKeyPath = []
    ) async throws(NetworkError) -> Model {
        try await decoding(.decodable(type, at: keyPath)).value()
    }

    /// Makes the call and decodes JSON at a key path, or gives another value where it cannot be decoded.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - keyPath: The way to the value.
    ///   - fallback: The value instead.
    /// - Returns: The value.
    /// - Throws: ``NetworkError``, but for ``NetworkError/decodingError(_:)`` and ``NetworkError/emptyResponse(_:)``.
    public func decode<Model: Decodable & Sendable>(
        _ type: Model.Type = Model.self, at keyPath: DecodableKeyPath = [], fallback: Model
    ) async throws(NetworkError) -> Model {
        try await decoding(.decodable(type, at: keyPath).fallback(fallback)).value()
    }

    /// Makes the call and gives the body as it is.
    ///
    /// - Returns: The body.
    /// - Throws: ``NetworkError``.
    public func data() async throws(NetworkError) -> Data { try await decoding(.data).value() }

    /// Makes the call and gives the body as an image.
    ///
    /// - Returns: The image.
    /// - Throws: ``NetworkError``; what is no image is a ``NetworkError/decodingError(_:)``.
    public func image() async throws(NetworkError) -> NetworkImage { try await decoding(.image).value() }

    /// Makes the call and gives the body as dynamic JSON.
    ///
    /// - Returns: The JSON; `null` for an empty body.
    /// - Throws: ``NetworkError``.
    public func json() async throws(NetworkError) -> JSON { try await decoding(.json).value() }

    /// Makes the call and gives nothing: success is all.
    ///
    /// - Throws: ``NetworkError``.
    public func void() async throws(NetworkError) { try await decoding(.void).value() }

    /// Makes the call and gives the status and the header fields, whatever the status.
    ///
    /// - Returns: The status and the fields.
    /// - Throws: ``NetworkError``; a status is never an error here.
    public func status() async throws(NetworkError) -> StatusCodeResponse {
        try await decoding(.status).value()
    }
}
