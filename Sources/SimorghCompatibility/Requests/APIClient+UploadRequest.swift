// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

extension APIClient {
    /// Uploads bytes as a file in a multipart form, and decodes the JSON response.
    ///
    /// - Parameters:
    ///   - router: The endpoint, with the method `POST` unless it sets another; its parameters become the first form
    ///     fields.
    ///   - name: The form field's name; the file has the same name with the extension of its type.
    ///   - data: The bytes; their type is detected from the first of them. `nil` sends the form without a file.
    ///   - progressCompletion: Called with the fraction from 0 to 1; if the length is unknown, only with 1 at the end.
    ///     See ``/SimorghCore/Call/uploadProgress(_:)``.
    /// - Returns: The value.
    /// - Throws: ``/SimorghCore/NetworkError``.
    public func uploadRequest<Model: Decodable & Sendable>(
        _ router: some NetworkRouter,
        withName name: String,
        data: Data?,
        progressCompletion: @escaping @Sendable (_ fraction: Double) -> Void = { _ in }
    ) async throws -> Model {
        try await upload(router, withName: name, data: data).uploadProgress(fraction: progressCompletion).decode()
    }

    /// Uploads bytes as a file in a multipart form, and decodes the JSON response.
    ///
    /// - Parameters:
    ///   - router: The endpoint, with the method `POST` unless it sets another; its parameters become the first form
    ///     fields.
    ///   - name: The form field's name; the file has the same name with the extension of its type.
    ///   - data: The bytes; their type is detected from the first of them. `nil` sends the form without a file.
    ///   - progressCompletion: Called with the fraction from 0 to 1, the bytes sent, and the total bytes, which are -1
    ///     if unknown. See ``/SimorghCore/Call/uploadProgress(_:)``.
    /// - Returns: The value.
    /// - Throws: ``/SimorghCore/NetworkError``.
    public func uploadRequest<Model: Decodable & Sendable>(
        _ router: some NetworkRouter,
        withName name: String,
        data: Data?,
        progressCompletion: @escaping @Sendable (_ fraction: Double, _ sent: Int64, _ total: Int64) -> Void
    ) async throws -> Model {
        try await upload(router, withName: name, data: data).uploadProgress(bytes: progressCompletion).decode()
    }

    /// Uploads a multipart form, and decodes the JSON response.
    ///
    /// - Parameters:
    ///   - router: The endpoint, with the method `POST` unless it sets another; its parameters become the first form
    ///     fields.
    ///   - formFields: The fields, in order.
    ///   - progressCompletion: Called with the fraction from 0 to 1; if the length is unknown, only with 1 at the end.
    ///     See ``/SimorghCore/Call/uploadProgress(_:)``.
    /// - Returns: The value.
    /// - Throws: ``/SimorghCore/NetworkError``.
    public func uploadRequest<Model: Decodable & Sendable>(
        _ router: some NetworkRouter,
        formFields: [MultipartFormField],
        progressCompletion: @escaping @Sendable (_ fraction: Double) -> Void = { _ in }
    ) async throws -> Model {
        try await upload(router, formFields: formFields).uploadProgress(fraction: progressCompletion).decode()
    }

    /// Uploads a multipart form, and decodes the JSON response.
    ///
    /// - Parameters:
    ///   - router: The endpoint, with the method `POST` unless it sets another; its parameters become the first form
    ///     fields.
    ///   - formFields: The fields, in order.
    ///   - progressCompletion: Called with the fraction from 0 to 1, the bytes sent, and the total bytes, which are -1
    ///     if unknown. See ``/SimorghCore/Call/uploadProgress(_:)``.
    /// - Returns: The value.
    /// - Throws: ``/SimorghCore/NetworkError``.
    public func uploadRequest<Model: Decodable & Sendable>(
        _ router: some NetworkRouter,
        formFields: [MultipartFormField],
        progressCompletion: @escaping @Sendable (_ fraction: Double, _ sent: Int64, _ total: Int64) -> Void
    ) async throws -> Model {
        try await upload(router, formFields: formFields).uploadProgress(bytes: progressCompletion).decode()
    }
}
