// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import TestSupport

extension TransportRequest {
    static func get(_ server: RawServer, _ path: String = "/") -> TransportRequest { .to(server, .get, path) }

    static func to(
        _ server: RawServer, _ method: HTTPRequest.Method, _ path: String = "/", body: RequestBody = .empty
    ) -> TransportRequest {
        TransportRequest(
            head: HTTPRequest(method: method, scheme: "http", authority: server.authority, path: path), body: body)
    }

    /// Returns a changed copy of the request.
    func with(_ change: (inout TransportRequest) -> Void) -> TransportRequest {
        var request = self
        change(&request)
        return request
    }
}

extension RawServer {
    /// Returns a server that answers every request with the same bytes, and optionally closes afterwards.
    static func answering(_ text: String, closing: Bool = false, answersAtHead: Bool = false) async throws -> RawServer
    {
        try await RawServer(answersAtHead: answersAtHead) { _ in closing ? [.send(text), .close] : [.send(text)] }
    }
}

/// Runs a closure that must throw a TransportError, and returns the error.
func failure(_ body: () async throws -> some Any) async -> TransportError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? TransportError
    }
}
