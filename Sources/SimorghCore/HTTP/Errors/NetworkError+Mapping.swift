// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension NetworkError {
    /// Creates the error that callers see from any error that the pipeline threw; no other code does this mapping.
    ///
    /// - Parameters:
    ///   - error: The error that was thrown.
    ///   - method: The method of the request.
    ///   - url: The URL of the request.
    ///   - limit: The limit on the body, in bytes.
    ///   - attempts: The number of attempts that were counted; `nil` if they were not counted.
    package init(_ error: any Error, method: String, url: String, limit: Int, attempts: Int? = nil) {
        switch error {
        case let error as NetworkError:
            self = error
        case var error as TransportError:
            if error.url.isEmpty {
                error.method = method
                error.url = url
            }
            if let attempts { error.attempts = max(error.attempts, attempts) }
            let context = FailureContext(
                method: error.method, url: error.url, attempts: error.attempts, phase: error.phase)
            if let invalid = error.underlying as? InvalidRequestError {
                self = .invalidRequest(invalid, context)
                return
            }
            switch error.code {
            case .cancelled: self = .cancelled(context)
            case .dataLengthExceedsMaximum where error.phase == .body: self = .bodyTooLarge(limit: limit, context)
            default: self = .urlError(error)
            }
        case let error as InvalidRequestError:
            self = .invalidRequest(error, FailureContext(method: method, url: url, attempts: 0))
        case is CancellationError:
            self = .cancelled(FailureContext(method: method, url: url, attempts: attempts ?? 0))
        case let error as ResponseDecodingError:
            self = .decodingError(error)
        case let error as ResponseBody.TooLargeError:
            self = .bodyTooLarge(
                limit: error.limit, FailureContext(method: method, url: url, attempts: attempts ?? 1, phase: .body))
        default:
            self = .responseError(
                ResponseError(error, context: FailureContext(method: method, url: url, attempts: attempts ?? 1)))
        }
    }
}
