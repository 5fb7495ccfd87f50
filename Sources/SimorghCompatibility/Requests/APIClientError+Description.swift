// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
public import SimorghSupport

extension APIClientError: LocalizedError, CustomStringConvertible {
    /// A one-line description: the failure, the URL without its query, and the reason.
    public var description: String {
        switch self {
        case .loadingError(let error), .decodingError(let error): error.description
        case .apiError(let error): error.description
        }
    }

    /// The description.
    public var errorDescription: String? { description }
}

extension APIError: LocalizedError, CustomStringConvertible {
    /// A one-line description: the request without its query, the status, and the start of the body.
    public var description: String { NetworkError.customError(statusCode, response).description }

    /// The description.
    public var errorDescription: String? { description }
}
