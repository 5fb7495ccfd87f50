// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

extension APIClient {
    /// Returns a publisher that uploads bytes as a file in a multipart form, and publishes the decoded JSON response.
    ///
    /// - Parameters:
    ///   - router: The endpoint, with the method `POST` unless it sets another; its parameters become the first form
    ///     fields.
    ///   - name: The form field's name; the file has the same name with the extension of its type.
    ///   - data: The bytes; their type is detected from the first of them. `nil` sends the form without a file.
    ///   - progressCompletion: Called with the fraction from 0 to 1; if the length is unknown, only with 1 at the end.
    ///     See ``/SimorghCore/Call/uploadProgress(_:)``.
    /// - Returns: A cold publisher: one upload per subscriber, on the client's callback queue.
    public func uploadRequest<Model: Decodable & Sendable>(
        _ router: some NetworkRouter,
        withName name: String,
        data: Data?,
        progressCompletion: @escaping @Sendable (_ fraction: Double) -> Void = { _ in }
    ) -> AnyPublisher<Model, NetworkError> {
        upload(router, withName: name, data: data).uploadProgress(fraction: progressCompletion).publisher(Model.self)
    }

    /// Returns a publisher that uploads bytes as a file in a multipart form, and publishes the decoded JSON response.
    ///
    /// - Parameters:
    ///   - router: The endpoint, with the method `POST` unless it sets another; its parameters become the first form
    ///     fields.
    ///   - name: The form field's name; the file has the same name with the extension of its type.
    ///   - data: The bytes; their type is detected from the first of them. `nil` sends the form without a file.
    ///   - progressCompletion: Called with the fraction from 0 to 1, the bytes sent, and the total bytes, which are -1
    ///     if unknown. See ``/SimorghCore/Call/uploadProgress(_:)``.
    /// - Returns: A cold publisher: one upload per subscriber, on the client's callback queue.
    public func uploadRequest<Model: Decodable & Sendable>(
        _ router: some NetworkRouter,
        withName name: String,
        data: Data?,
        progressCompletion: @escaping @Sendable (_ fraction: Double, _ sent: Int64, _ total: Int64) -> Void
    ) -> AnyPublisher<Model, NetworkError> {
        upload(router, withName: name, data: data).uploadProgress(bytes: progressCompletion).publisher(Model.self)
    }

    /// Returns a publisher that uploads a multipart form, and publishes the decoded JSON response.
    ///
    /// - Parameters:
    ///   - router: The endpoint, with the method `POST` unless it sets another; its parameters become the first form
    ///     fields.
    ///   - formFields: The fields, in order.
    ///   - progressCompletion: Called with the fraction from 0 to 1; if the length is unknown, only with 1 at the end.
    ///     See ``/SimorghCore/Call/uploadProgress(_:)``.
    /// - Returns: A cold publisher: one upload per subscriber, on the client's callback queue.
    public func uploadRequest<Model: Decodable & Sendable>(
        _ router: some NetworkRouter,
        formFields: [MultipartFormField],
        progressCompletion: @escaping @Sendable (_ fraction: Double) -> Void = { _ in }
    ) -> AnyPublisher<Model, NetworkError> {
        upload(router, formFields: formFields).uploadProgress(fraction: progressCompletion).publisher(Model.self)
    }

    /// Returns a publisher that uploads a multipart form, and publishes the decoded JSON response.
    ///
    /// - Parameters:
    ///   - router: The endpoint, with the method `POST` unless it sets another; its parameters become the first form
    ///     fields.
    ///   - formFields: The fields, in order.
    ///   - progressCompletion: Called with the fraction from 0 to 1, the bytes sent, and the total bytes, which are -1
    ///     if unknown. See ``/SimorghCore/Call/uploadProgress(_:)``.
    /// - Returns: A cold publisher: one upload per subscriber, on the client's callback queue.
    public func uploadRequest<Model: Decodable & Sendable>(
        _ router: some NetworkRouter,
        formFields: [MultipartFormField],
        progressCompletion: @escaping @Sendable (_ fraction: Double, _ sent: Int64, _ total: Int64) -> Void
    ) -> AnyPublisher<Model, NetworkError> {
        upload(router, formFields: formFields).uploadProgress(bytes: progressCompletion).publisher(Model.self)
    }
}
