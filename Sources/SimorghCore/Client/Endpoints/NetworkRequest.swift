// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// An endpoint with a response type, and optionally its own decoding.
///
/// ```swift
/// struct FetchUser: NetworkRequest {
///     typealias Response = User
///     let id: Int
///     var path: String { "users/\(id)" }
/// }
/// let user = try await client.send(FetchUser(id: 7))
/// ```
public protocol NetworkRequest: NetworkRouter {
    /// The value of a successful call.
    associatedtype Response: Decodable & Sendable

    /// A body of any kind, instead of ``NetworkRouter/params``. Default: none.
    ///
    /// A request with more than one of body, parameters and ``multipart`` is invalid.
    var body: RequestBody? { get }
    /// The fields of a `multipart/form-data` body. Default: none.
    var multipart: [MultipartFormField]? { get }
    /// The decoder of the response. Default: `nil`, the client's decoder.
    var jsonDecoder: JSONDecoder? { get }
    /// True if a decoder that is set on the client overrides ``jsonDecoder``. Default: true.
    var allowsResponseDecoderOverride: Bool { get }
    /// The retry policy of the request. Default: `nil`, the client's policy.
    var retryPolicy: RetryPolicy? { get }
    /// True if the request may be retried; if false it never is, whatever the client's settings. Default: true.
    var allowsRetry: Bool { get }

    /// Converts a response with an accepted status and a body into the value.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - decoder: The decoder of the call.
    /// - Returns: The value.
    /// - Throws: Any error. It reaches the caller inside ``NetworkError/decodingError(_:)``.
    func decodeResponse(_ response: CollectedResponse, using decoder: JSONDecoder) throws -> Response

    /// Converts a response with an accepted status and *no* body into the value. Default: `nil`, which is an error.
    ///
    /// - Parameter response: The response.
    /// - Returns: The value, or `nil` to throw ``NetworkError/emptyResponse(_:)``.
    /// - Throws: Any error. It reaches the caller inside ``NetworkError/decodingError(_:)``.
    func emptyResponse(_ response: CollectedResponse) throws -> Response?

    /// Converts a rejected response into the server's own error. Default: `nil`.
    ///
    /// - Parameter response: The response. Its body is limited in size.
    /// - Returns: The error, which reaches the caller inside ``NetworkError/responseError(_:)``; `nil` to throw
    ///   ``NetworkError/customError(_:_:)``.
    func decodeError(_ response: CollectedResponse) -> (any Error)?
}

extension NetworkRequest {
    /// No body.
    public var body: RequestBody? { nil }
    /// No fields.
    public var multipart: [MultipartFormField]? { nil }
    /// The client's decoder.
    public var jsonDecoder: JSONDecoder? { nil }
    /// True: the client's decoder overrides the request's.
    public var allowsResponseDecoderOverride: Bool { true }
    /// The client's policy.
    public var retryPolicy: RetryPolicy? { nil }
    /// True: the request may be retried.
    public var allowsRetry: Bool { true }

    /// Decodes the body by the codecs of the call, by default as JSON.
    public func decodeResponse(_ response: CollectedResponse, using decoder: JSONDecoder) throws -> Response {
        try ResponseDecoding<Response>.decodable().decode(response, decoder)
    }

    /// Returns `nil`, which makes an empty body an error, except for ``EmptyResponse`` and ``StatusCodeResponse``.
    public func emptyResponse(_ response: CollectedResponse) throws -> Response? {
        (Response.self as? any EmptyResponseDecodable.Type)?.init(empty: response) as? Response
    }

    /// Returns `nil`: no error of its own.
    public func decodeError(_ response: CollectedResponse) -> (any Error)? { nil }
}
