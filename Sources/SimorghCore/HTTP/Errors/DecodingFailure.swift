// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A body that is not what was asked for: where it went wrong, and what it looked like.
public struct DecodingFailure: Error, Sendable {
    /// What kind of failure it is.
    public enum Reason: Sendable, Hashable {
        /// The body is not of the format, or lacks what the model needs.
        case undecodable
        /// The body holds nothing at the key path that was given.
        case brokenKeyPath
    }

    /// What kind of failure it is.
    public let reason: Reason
    /// The way to the field, such as `users[3].name`; empty at the top.
    public let path: String
    /// The name of the type that was asked for.
    public let type: String
    /// What the decoder said.
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
        let place = DecodingPlace(error, in: response.body)
        path = place.path
        message = place.message
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

    /// The start of the body, for a message to a person.
    public var snippet: String { response.bodySnippet }
}

extension DecodingFailure: CustomStringConvertible {
    /// One line: the type, where it failed and why, and the start of the body.
    public var description: String {
        let place = path.isEmpty ? "" : " at \(path)"
        return "\(type) could not be decoded\(place): \(message) The body begins: \(snippet)"
    }
}
