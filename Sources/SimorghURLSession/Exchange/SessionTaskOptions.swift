// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

extension RequestPriority {
    /// The priority of a task, from 0 to 1; the middle three are the constants of `URLSessionTask`.
    package var ofTask: Float {
        switch self {
        case .low: 0.25
        case .normal: 0.5
        case .high: 0.75
        case .critical: 1
        }
    }
}

extension URLRequest {
    /// Returns the request with the length of a streamed body, which is otherwise sent in chunked coding.
    ///
    /// - Parameter length: The length, in bytes; `nil` if it is unknown.
    /// - Returns: The request.
    func announcing(_ length: Int64?) -> URLRequest {
        var request = self
        request.setValue(length.map { "\($0)" }, forHTTPHeaderField: "Content-Length")
        return request
    }
}
