// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCompatibility
public import SimorghCore

extension URLRequest {
    /// Creates a `URLRequest` from a request of the pipeline: method, URL, header fields, and a body in memory.
    ///
    /// - Parameter request: The request.
    /// - Throws: `InvalidRequestError` if Foundation cannot parse its URL, or if its body is streamed.
    public init(_ request: TransportRequest) throws {
        guard let bytes = request.body.bytes else {
            throw InvalidRequestError(.encodingFailed, message: "the body is streamed: a URLRequest cannot hold it")
        }
        try self.init(head: request.head)
        if !request.body.isEmpty { httpBody = bytes }
        if let head = request.options.timeouts.head { timeoutInterval = head / .seconds(1) }
    }
}

extension URLRequest: RetryableRequest {
    /// Returns a request as a `URLRequest`; without its body if the body is streamed.
    ///
    /// - Parameter request: The request.
    /// - Returns: The request for a retry handler.
    /// - Throws: `InvalidRequestError` if Foundation cannot parse its URL.
    public static func shown(_ request: TransportRequest) throws -> URLRequest {
        guard request.body.bytes == nil else { return try URLRequest(request) }
        return try URLRequest(head: request.head)
    }

    /// Returns a request with the method, URL, header fields and body of this one; its options stay the same.
    ///
    /// A streamed body, which the handler could not see, stays the same unless this request has a body.
    ///
    /// - Parameter request: The request that was sent.
    /// - Returns: The request to send.
    /// - Throws: `InvalidRequestError` if this is not a valid HTTP request.
    public func replacing(_ request: TransportRequest) throws -> TransportRequest {
        let before = try URLRequest.shown(request)
        var changed = request
        if url != before.url || httpMethod != before.httpMethod {
            changed.head = try head()
        }
        changed.head.headerFields = try fields(over: before, request: request)
        if httpBody != before.httpBody {
            changed.body = httpBody.map { .bytes($0, contentType: nil) } ?? .empty
        }
        return changed
    }
}
