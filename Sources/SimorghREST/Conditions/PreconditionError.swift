// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore
import SimorghSupport

/// The server's refusal of a write whose condition is false, 412, or that has no condition, 428.
///
/// ```swift
/// do {
///     try await client.call(.put, "users/7", body: .json(user)).ifMatch(tag).void()
/// } catch let error as NetworkError {
///     guard let conflict = error.preconditionError else { throw error }
///     let theirs = try conflict.representation(as: User.self)
/// }
/// ```
public struct PreconditionError: Error, Sendable, CustomStringConvertible {
    /// The server's response.
    public let response: CollectedResponse

    /// Creates the error of a response; `nil` for a status other than 412 and 428.
    ///
    /// - Parameter response: The response.
    public init?(_ response: CollectedResponse) {
        guard [Self.failed, Self.required].contains(response.statusCode) else { return nil }
        self.response = response
    }

    private static let failed = 412
    private static let required = 428

    /// The status: 412 or 428.
    public var statusCode: Int { response.statusCode }

    /// A Boolean value that indicates whether the server requires a condition that the request lacked: 428.
    public var isConditionMissing: Bool { statusCode == Self.required }

    /// The tag of the current representation, if the server sent it.
    public var entityTag: EntityTag? { response.entityTag }

    /// The body, if it can be the current representation: it is not empty, complete, and no problem details (RFC 9457).
    public var representation: Data? {
        let type = response.headers[.contentType]?.lowercased() ?? ""
        guard !response.body.isEmpty, !response.isBodyTruncated, !type.hasPrefix("application/problem+") else {
            return nil
        }
        return response.body
    }

    /// Decodes the current representation.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - decoder: The decoder.
    /// - Returns: The model; `nil` if the response cannot have the representation.
    /// - Throws: ``/SimorghCore/ResponseDecodingError`` if the body is another one, such as the server's own error.
    public func representation<Model: Decodable>(
        as type: Model.Type = Model.self, using decoder: JSONDecoder = JSONDecoder()
    ) throws -> Model? {
        try representation == nil ? nil : response.decode(type, using: decoder)
    }

    /// One line: the request without its query, the status and the reason.
    public var description: String {
        let reason =
            isConditionMissing
            ? "the server requires a condition such as If-Match" : "the resource is not the one that was read"
        return "\(response.method) \(RedactedURL.withoutQuery(response.url)) was refused with \(statusCode): \(reason)"
    }
}

extension PreconditionError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension NetworkError {
    /// The refusal of a conditional request; `nil` unless the server responded with 412 or 428.
    public var preconditionError: PreconditionError? { response.flatMap { PreconditionError($0) } }
}
