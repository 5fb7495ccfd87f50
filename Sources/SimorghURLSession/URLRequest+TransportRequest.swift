// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCompatibility
public import SimorghCore

extension URLRequest {
    /// A request of the chain as Foundation has it: method, URL, fields, and a body that is in memory.
    ///
    /// - Parameter request: The request.
    /// - Throws: `InvalidRequest` where Foundation takes its URL for none, or its body is read only as it is sent.
    public init(_ request: TransportRequest) throws {
        guard let bytes = request.body.bytes else {
            throw InvalidRequest(.encodingFailed, "the body is read as it is sent: a URLRequest cannot hold it")
        }
        try self.init(head: request.head)
        if !request.body.isEmpty { httpBody = bytes }
        if let head = request.options.timeouts.head { timeoutInterval = head / .seconds(1) }
    }
}

extension URLRequest: RetryableRequest {
    /// A request as Foundation has it; without its body where that is read only as it is sent.
    ///
    /// - Parameter request: The request.
    /// - Returns: The request for a handler to look at.
    /// - Throws: `InvalidRequest` where Foundation takes its URL for none.
    public static func shown(_ request: TransportRequest) throws -> URLRequest {
        guard request.body.bytes == nil else { return try URLRequest(request) }
        return try URLRequest(head: request.head)
    }

    /// The request with the method, the URL, the fields and the body of this one; how it is carried stays.
    ///
    /// A body that was not shown stays as well, unless this one has another.
    ///
    /// - Parameter request: What was sent.
    /// - Returns: What to send.
    /// - Throws: `InvalidRequest` where this one is no HTTP request.
    public func replacing(_ request: TransportRequest) throws -> TransportRequest {
        let before = try URLRequest.shown(request)
        var changed = request
        if url != before.url || httpMethod != before.httpMethod {
            changed.head = try head()
        }
        changed.head.headerFields = try fields(over: before, request)
        if httpBody != before.httpBody {
            changed.body = httpBody.map { .bytes($0, contentType: nil) } ?? .empty
        }
        return changed
    }
}
