// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

extension APIClient {
    /// Uploads bytes as the file of a form, decodes the JSON that comes back.
    ///
    /// - Parameters:
    ///   - router: The endpoint, `POST` unless it says otherwise; its parameters become the form's first fields.
    ///   - name: The name of the form's field; the file has it, too, with the extension of its type.
    ///   - data: The bytes; their type is told by the first of them. `nil` sends the form without a file.
    ///   - progressCompletion: Told the fraction from 0 to 1; where the length is not known, only the 1 at the end. See
    ///     ``/SimorghCore/Call/uploadProgress(_:)``.
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

    /// Uploads bytes as the file of a form, decodes the JSON that comes back.
    ///
    /// - Parameters:
    ///   - router: The endpoint, `POST` unless it says otherwise; its parameters become the form's first fields.
    ///   - name: The name of the form's field; the file has it, too, with the extension of its type.
    ///   - data: The bytes; their type is told by the first of them. `nil` sends the form without a file.
    ///   - progressCompletion: Told the fraction from 0 to 1, the bytes sent, and those there are, -1 where nobody knows; see
    ///     ``/SimorghCore/Call/uploadProgress(_:)``.
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

    /// Uploads a form, decodes the JSON that comes back.
    ///
    /// - Parameters:
    ///   - router: The endpoint, `POST` unless it says otherwise; its parameters become the form's first fields.
    ///   - formFields: The fields, in their order.
    ///   - progressCompletion: Told the fraction from 0 to 1; where the length is not known, only the 1 at the end. See
    ///     ``/SimorghCore/Call/uploadProgress(_:)``.
    /// - Returns: The value.
    /// - Throws: ``/SimorghCore/NetworkError``.
    public func uploadRequest<Model: Decodable & Sendable>(
        _ router: some NetworkRouter,
        formFields: [MultipartFormField],
        progressCompletion: @escaping @Sendable (_ fraction: Double) -> Void = { _ in }
    ) async throws -> Model {
        try await upload(router, formFields: formFields).uploadProgress(fraction: progressCompletion).decode()
    }

    /// Uploads a form, decodes the JSON that comes back.
    ///
    /// - Parameters:
    ///   - router: The endpoint, `POST` unless it says otherwise; its parameters become the form's first fields.
    ///   - formFields: The fields, in their order.
    ///   - progressCompletion: Told the fraction from 0 to 1, the bytes sent, and those there are, -1 where nobody knows; see
    ///     ``/SimorghCore/Call/uploadProgress(_:)``.
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
