// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A response body that could not be decoded: the location of the fault, the reason, and the response.
public struct ResponseDecodingError: Error, Sendable {
    /// A kind of decoding failure.
    public enum Reason: Sendable, Hashable {
        /// The body is not in the expected format, or lacks values that the model needs.
        case undecodable
        /// The body has no value at the given key path.
        case brokenKeyPath
    }

    /// The kind of failure.
    public let reason: Reason
    /// The path to the field, such as `users[3].name`; empty for the top level.
    public let path: String
    /// The name of the type that was to be decoded.
    public let type: String
    /// The decoder's message.
    public let message: String
    /// The decoder's own error.
    public let underlying: any Error
    /// The response, with the body that could not be decoded.
    public let response: CollectedResponse

    package init(
        _ error: any Error, type: any Any.Type, response: CollectedResponse, reason: Reason = .undecodable
    ) {
        self.reason = reason
        self.type = String(describing: type)
        self.response = response
        underlying = error
        let location = DecodingLocation(error, in: response.codec?.isJSON == false ? nil : response.body)
        path = location.path
        message = location.message
    }

    package init(
        type: String, path: String, message: String, underlying: any Error, response: CollectedResponse
    ) {
        reason = .undecodable
        self.type = type
        self.path = path
        self.message = message
        self.underlying = underlying
        self.response = response
    }

    /// The beginning of the body, for messages to people.
    public var snippet: String { response.bodySnippet }
}

extension ResponseDecodingError: CustomStringConvertible {
    /// One line: the type, the location and the reason of the failure, and the beginning of the body.
    public var description: String {
        let location = path.isEmpty ? "" : " at \(path)"
        return "\(type) could not be decoded\(location): \(message) The body begins: \(snippet)"
    }
}
