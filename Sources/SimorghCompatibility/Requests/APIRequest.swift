// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// A request that names both what success and what failure look like.
///
/// ```swift
/// let genres = try await client.response(for: .get("/genre/movie/list") as APIRequest<GenreList, Status>)
/// ```
public struct APIRequest<Output: Sendable, Failure: Sendable>: Sendable {
    /// The method.
    public var method: RequestMethod
    /// The path below the client's base URL.
    public var path: String
    /// Header fields; they win over the client's.
    public var headers: [String: String]
    /// The query's fields, after the client's.
    public var parameters: QueryItems
    /// The body.
    public var body: RequestBody
    /// How a response with an accepted status is read.
    public var output: ResponseDecoding<Output>
    /// How the body of a refused response is read.
    public var failure: ResponseDecoding<Failure>

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path below the client's base URL.
    ///   - headers: Header fields.
    ///   - parameters: The query's fields.
    ///   - body: The body.
    ///   - output: How a response with an accepted status is read.
    ///   - failure: How the body of a refused response is read.
    public init(
        _ method: RequestMethod,
        _ path: String,
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

/// Why a call with a typed failure gave no value.
@nonexhaustive
public enum APIClientError<Failure: Sendable>: Error, Sendable {
    /// No response came, or the request could not be made.
    case loadingError(NetworkError)
    /// A response with an accepted status came whose body is not what was asked for.
    case decodingError(NetworkError)
    /// The server refused, and this is what it said.
    case apiError(APIError<Failure>)

    /// The status the server answered with, where it answered.
    public var statusCode: Int? {
        switch self {
        case .loadingError(let error), .decodingError(let error): error.statusCode
        case .apiError(let error): error.statusCode
        }
    }
}

/// What a server said when it refused.
public struct APIError<Failure: Sendable>: Error, Sendable {
    /// The status code.
    public let statusCode: Int
    /// The server's own error; `nil` for an empty body, and for one that is not of that model.
    public let error: Failure?
    /// The response, with its body as it came, bounded.
    public let response: CollectedResponse
}
