// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// An error for a file that is not an OpenAPI document, or that uses what this module does not support.
public struct ContractDocumentError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason.
    public let description: String

    init(_ description: String) { self.description = description }
}

/// An error for a request that the document does not allow.
public struct ContractViolationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The method and the URL of the request; of its query only the names are shown, because a value may be a key.
    public let request: String
    /// The operation, such as `GET /users/{id}`; `nil` if the document has none for the request.
    public let operation: String?
    /// The differences from what the request should have been, one line each; at most 20.
    public let problems: [String]

    /// The request, the operation and the differences.
    public var description: String {
        let subject = operation.map { " of \($0)" } ?? ""
        return "\(request) breaks the contract\(subject): \(problems.joined(separator: "; "))"
    }
}

// With these conformances `localizedDescription` returns the description.

extension ContractDocumentError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension ContractViolationError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
