// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

/// A model that needs no body: it is created from the status and the header fields.
package protocol EmptyResponseDecodable: Decodable, Sendable {
    init(empty response: CollectedResponse)
}

/// A success without a value.
///
/// The response body is ignored.
public struct EmptyResponse: Decodable, Sendable, Hashable, EmptyResponseDecodable {
    /// Creates the only value.
    public init() {}

    /// Creates the only value without decoding anything.
    ///
    /// - Parameter decoder: Ignored.
    public init(from decoder: any Decoder) {}

    package init(empty response: CollectedResponse) {}
}

/// The status and the header fields of a response.
///
/// The body is ignored.
public struct StatusCodeResponse: Decodable, Sendable, Hashable, EmptyResponseDecodable {
    /// The status code.
    public let statusCode: Int
    /// The header fields by name.
    ///
    /// Repeated fields are joined with commas.
    public let headers: [String: String]

    /// Creates a value.
    ///
    /// - Parameters:
    ///   - statusCode: The status code.
    ///   - headers: The header fields.
    public init(statusCode: Int, headers: [String: String] = [:]) {
        self.statusCode = statusCode
        self.headers = headers
    }

    package init(empty response: CollectedResponse) {
        statusCode = response.statusCode
        headers = response.headers.reduce(into: [:]) { headers, field in
            let name = field.name.rawName
            headers[name] = headers[name].map { "\($0), \(field.value)" } ?? field.value
        }
    }
}
