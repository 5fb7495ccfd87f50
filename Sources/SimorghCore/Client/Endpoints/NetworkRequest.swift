// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// An endpoint that names its response, and may say how to read it.
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
    /// What a successful call gives.
    associatedtype Response: Decodable & Sendable

    /// A body of any kind, instead of ``NetworkRouter/params``; none by default.
    ///
    /// A body together with parameters or ``multipart`` is refused.
    var body: RequestBody? { get }
    /// The fields of a `multipart/form-data` body; none by default.
    var multipart: [MultipartFormField]? { get }
    /// Decodes the response; the client's decoder where it is `nil`, which is the default.
    var jsonDecoder: JSONDecoder? { get }
    /// Whether the client's decoder, where it was given one, wins over ``jsonDecoder``; `true` by default.
    var allowsResponseDecoderOverride: Bool { get }
    /// When the request is sent again after a failure; the client's policy where it is `nil`, which is the default.
    var retryPolicy: RetryPolicy? { get }
    /// Whether the request may be sent again after a failure at all, whatever the client says; `true` by default.
    var allowsRetry: Bool { get }

    /// Turns a response with an accepted status and a body into the value.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - decoder: The decoder of the call.
    /// - Returns: The value.
    /// - Throws: Anything; it reaches the caller inside ``NetworkError/decodingError(_:)``.
    func decodeResponse(_ response: CollectedResponse, using decoder: JSONDecoder) throws -> Response

    /// Turns a response with an accepted status and *no* body into the value; `nil` makes it an error, which is the default.
    ///
    /// - Parameter response: The response.
    /// - Returns: The value, or `nil` for ``NetworkError/emptyResponse(_:)``.
    /// - Throws: Anything; it reaches the caller inside ``NetworkError/decodingError(_:)``.
    func emptyResponse(_ response: CollectedResponse) throws -> Response?

    /// Turns a refused response into the server's own error; `nil` leaves it ``NetworkError/customError(_:_:)``, the default.
    ///
    /// - Parameter response: The response, its body bounded.
    /// - Returns: The error that reaches the caller inside ``NetworkError/responseError(_:)``.
    func decodeError(_ response: CollectedResponse) -> (any Error)?
}

extension NetworkRequest {
    /// No body.
    public var body: RequestBody? { nil }
    /// No fields.
    public var multipart: [MultipartFormField]? { nil }
    /// The client's decoder.
    public var jsonDecoder: JSONDecoder? { nil }
    /// The client's decoder may win.
    public var allowsResponseDecoderOverride: Bool { true }
    /// The client's policy.
    public var retryPolicy: RetryPolicy? { nil }
    /// It may be sent again.
    public var allowsRetry: Bool { true }

    /// Decodes JSON.
    public func decodeResponse(_ response: CollectedResponse, using decoder: JSONDecoder) throws -> Response {
        try ResponseDecoding<Response>.decodable().decode(response, decoder)
    }

    /// No value: an empty body is an error, but for ``EmptyResponse`` and ``StatusCodeResponse``.
    public func emptyResponse(_ response: CollectedResponse) throws -> Response? {
        (Response.self as? any EmptyResponseDecodable.Type)?.init(empty: response) as? Response
    }

    /// No error of its own.
    public func decodeError(_ response: CollectedResponse) -> (any Error)? { nil }
}
