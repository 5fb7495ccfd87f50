// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// A request that has both a success type and a failure type.
///
/// ```swift
/// let genres = try await client.response(for: .get("/genre/movie/list") as APIRequest<GenreList, Status>)
/// ```
public struct APIRequest<Output: Sendable, Failure: Sendable>: Sendable {
    /// The method.
    public var method: RequestMethod
    /// The path below the client's base URL.
    public var path: String
    /// Header fields; they override the client's.
    public var headers: [String: String]
    /// The query items, sent after the client's.
    public var parameters: QueryItems
    /// The body.
    public var body: RequestBody
    /// The decoding of a response with an accepted status.
    public var output: ResponseDecoding<Output>
    /// The decoding of the body of a rejected response.
    public var failure: ResponseDecoding<Failure>

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path below the client's base URL.
    ///   - headers: Header fields.
    ///   - parameters: The query items.
    ///   - body: The body.
    ///   - output: The decoding of a response with an accepted status.
    ///   - failure: The decoding of the body of a rejected response.
    public init(
        _ method: RequestMethod,
        path: String,
        headers: [String: String] = [:],
        parameters: QueryItems = QueryItems(),
        body: RequestBody = .empty,
        output: ResponseDecoding<Output>,
        failure: ResponseDecoding<Failure>
    ) {
        self.method = method
        self.path = path
        self.headers = headers
        self.parameters = parameters
        self.body = body
        self.output = output
        self.failure = failure
    }
}

/// The error of a call with a typed failure.
@nonexhaustive
public enum APIClientError<Failure: Sendable>: Error, Sendable {
    /// There was no response, or the request could not be made.
    case loadingError(NetworkError)
    /// The response has an accepted status, but its body could not be decoded.
    case decodingError(NetworkError)
    /// The server rejected the request with this error.
    case apiError(APIError<Failure>)

    /// The response's status code; `nil` if there was no response.
    public var statusCode: Int? {
        switch self {
        case .loadingError(let error), .decodingError(let error): error.statusCode
        case .apiError(let error): error.statusCode
        }
    }
}

/// An error response of a server.
public struct APIError<Failure: Sendable>: Error, Sendable {
    /// The status code.
    public let statusCode: Int
    /// The server's decoded error; `nil` if the body is empty or could not be decoded.
    public let error: Failure?
    /// The response, with its undecoded body up to a size limit.
    public let response: CollectedResponse
}
