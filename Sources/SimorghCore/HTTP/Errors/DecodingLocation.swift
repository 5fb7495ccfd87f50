// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The location at which a decoder failed, and the decoder's message.
package struct DecodingLocation: Sendable {
    /// The path to the field, such as `users[3].name`; empty for the top level.
    package let path: String
    /// The reason of the failure.
    package let message: String

    /// Creates the location of an error.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - data: The JSON that could not be decoded; `nil` for another format.
    package init(_ error: any Error, in data: Data?) {
        let decodingError = error as? DecodingError
        let context = (data.flatMap { decodingError?.explained(by: $0) } ?? decodingError)?.context
        let keys = (context?.path ?? []).enumerated()
        path = keys.reduce(into: "") { path, key in
            if let index = key.element.intValue {
                path += "[\(index)]"
            } else {
                path += key.offset == 0 ? key.element.stringValue : ".\(key.element.stringValue)"
            }
        }
        message = context?.message ?? "\(error)"
    }
}

extension DecodingError {
    /// The coding path and the message of any case; `nil` for a case that is unknown.
    fileprivate var context: (path: [any CodingKey], message: String)? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            (context.codingPath, context.debugDescription)
        case .keyNotFound(let key, let context):
            (context.codingPath + [key], context.debugDescription)
        @unknown default: nil
        }
    }
}
