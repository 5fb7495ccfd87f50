// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting

/// A response, for tests of a single exchange.
struct Answer {
    let response: TransportResponse

    var status: Int { response.head.status.code }
    var text: String { String(decoding: response.body.collectedBytes ?? Data(), as: UTF8.self) }
    var trailers: HTTPFields { response.trailers }

    func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { response.head.headerFields[$0] } }
}

extension Transport {
    /// Sends one request unchanged.
    func ask(
        _ method: HTTPRequest.Method = .get, _ url: String, body: RequestBody = .empty,
        fields: HTTPFields = HTTPFields(), _ change: (inout TransportOptions) -> Void = { _ in }
    ) async throws(TransportError) -> Answer {
        let scheme = String(url.prefix { $0 != ":" })
        let rest = url.dropFirst(scheme.count + 3)
        let authority = String(rest.prefix { $0 != "/" })
        var options = TransportOptions()
        change(&options)
        let path = rest.dropFirst(authority.count)
        let head = HTTPRequest(
            method: method, scheme: scheme, authority: authority, path: path.isEmpty ? "/" : String(path),
            headerFields: fields)
        return Answer(response: try await send(TransportRequest(head: head, body: body, options: options)))
    }
}

/// Runs a function that must fail in the transport, and returns its error.
func wireFailure(_ body: () async throws -> some Any) async -> TransportError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? TransportError
    }
}
