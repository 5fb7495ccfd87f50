// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

extension APIClient {
    /// Uploads bytes as the file of a form for each subscriber and publishes the decoded JSON that comes back.
    ///
    /// - Parameters:
    ///   - router: The endpoint, `POST` unless it says otherwise; its parameters become the form's first fields.
    ///   - name: The name of the form's field; the file has it, too, with the extension of its type.
    ///   - data: The bytes; their type is told by the first of them. `nil` sends the form without a file.
    ///   - progressCompletion: Told the fraction from 0 to 1; where the length is not known, only the 1 at the end. See
    ///     ``/SimorghCore/Call/uploadProgress(_:)``.
    /// - Returns: The publisher: cold, one value and then the end, on the client's callback queue.
    public func uploadRequest<Model: Decodable & Sendable>(
        _ router: some NetworkRouter,
        withName name: String,
        data: Data?,
        progressCompletion: @escaping @Sendable (_ fraction: Double) -> Void = { _ in }
    ) -> AnyPublisher<Model, NetworkError> {
        upload(router, withName: name, data: data).uploadProgress(fraction: progressCompletion).publisher(Model.self)
    }

    /// Uploads bytes as the file of a form for each subscriber and publishes the decoded JSON that comes back.
    ///
    /// - Parameters:
    ///   - router: The endpoint, `POST` unless it says otherwise; its parameters become the form's first fields.
    ///   - name: The name of the form's field; the file has it, too, with the extension of its type.
    ///   - data: The bytes; their type is told by the first of them. `nil` sends the form without a file.
    ///   - progressCompletion: Told the fraction from 0 to 1, the bytes sent, and those there are, -1 where nobody knows; see
    ///     ``/SimorghCore/Call/uploadProgress(_:)``.
    /// - Returns: The publisher: cold, one value and then the end, on the client's callback queue.
    public func uploadRequest<Model: Decodable & Sendable>(
        _ router: some NetworkRouter,
        withName name: String,
        data: Data?,
        progressCompletion: @escaping @Sendable (_ fraction: Double, _ sent: Int64, _ total: Int64) -> Void
    ) -> AnyPublisher<Model, NetworkError> {
        upload(router, withName: name, data: data).uploadProgress(bytes: progressCompletion).publisher(Model.self)
    }

    /// Uploads a form for each subscriber and publishes the decoded JSON that comes back.
    ///
    /// - Parameters:
    ///   - router: The endpoint, `POST` unless it says otherwise; its parameters become the form's first fields.
    ///   - formFields: The fields, in their order.
    ///   - progressCompletion: Told the fraction from 0 to 1; where the length is not known, only the 1 at the end. See
    ///     ``/SimorghCore/Call/uploadProgress(_:)``.
    /// - Returns: The publisher: cold, one value and then the end, on the client's callback queue.
    public func uploadRequest<Model: Decodable & Sendable>(
        _ router: some NetworkRouter,
        formFields: [MultipartFormField],
        progressCompletion: @escaping @Sendable (_ fraction: Double) -> Void = { _ in }
    ) -> AnyPublisher<Model, NetworkError> {
        upload(router, formFields: formFields).uploadProgress(fraction: progressCompletion).publisher(Model.self)
    }

    /// Uploads a form for each subscriber and publishes the decoded JSON that comes back.
    ///
    /// - Parameters:
    ///   - router: The endpoint, `POST` unless it says otherwise; its parameters become the form's first fields.
    ///   - formFields: The fields, in their order.
    ///   - progressCompletion: Told the fraction from 0 to 1, the bytes sent, and those there are, -1 where nobody knows; see
    ///     ``/SimorghCore/Call/uploadProgress(_:)``.
    /// - Returns: The publisher: cold, one value and then the end, on the client's callback queue.
    public func uploadRequest<Model: Decodable & Sendable>(
        _ router: some NetworkRouter,
        formFields: [MultipartFormField],
        progressCompletion: @escaping @Sendable (_ fraction: Double, _ sent: Int64, _ total: Int64) -> Void
    ) -> AnyPublisher<Model, NetworkError> {
        upload(router, formFields: formFields).uploadProgress(bytes: progressCompletion).publisher(Model.self)
    }
}
