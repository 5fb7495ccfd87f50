// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCore
import SimorghRealtime
import SimorghSupport
import Synchronization

/// The memory of a client about a server's automatic persisted queries.
package final class PersistedQuerySupport: Sendable {
    private let refused = Atomic(false)

    package init() {}

    /// True if the server does not support them, so that every request contains its document.
    package var isRefused: Bool { refused.load(ordering: .relaxed) }

    /// Notes that the server does not support them.
    package func refuse() { refused.store(true, ordering: .relaxed) }
}

/// Sends the hash of a document first, and the document only if the server does not know it.
package struct PersistedQueryExchange: Sendable {
    package let request: GraphQLRequestDescription
    package let support: PersistedQuerySupport
    package let encoder: JSONEncoder
    /// The largest JSON body to collect of a response that streams, in bytes.
    package let limit: Int

    /// The meaning of a response to a hash.
    package enum Answer: Sendable, Equatable {
        /// The server does not know the document.
        case notFound
        /// The server does not support persisted queries.
        case notSupported
        /// The server did not understand the request, perhaps because the document is missing. It executed nothing.
        case badRequest
        /// Any other response.
        case result
    }

    /// The largest body that is searched for the errors of persisted queries, in bytes.
    package static let maximumErrorBytes = 64 * 1024

    /// Reads a response to a hash.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - body: The body.
    /// - Returns: The meaning.
    package static func answer(status: Int, body: Data) -> Answer {
        guard body.count <= maximumErrorBytes else { return .result }
        guard let found = try? JSONDecoder().decode(FailedOperation.self, from: body) else {
            return status == 400 ? .badRequest : .result
        }
        guard !found.mayHaveRun else { return .result }
        let faults = found.errors ?? []
        for (answer, message, code) in errors
        where faults.contains(where: { $0.message == message || $0.extensions["code"].string == code }) {
            return answer
        }
        return status == 400 ? .badRequest : .result
    }

    private static let errors: [(Answer, message: String, code: String)] = [
        (.notFound, "PersistedQueryNotFound", "PERSISTED_QUERY_NOT_FOUND"),
        (.notSupported, "PersistedQueryNotSupported", "PERSISTED_QUERY_NOT_SUPPORTED"),
    ]

    /// Sends a request that contains the hash alone.
    package func send(_ hashed: TransportRequest, next: Interceptor.Next) async throws -> TransportResponse {
        guard !support.isRefused else { return try await next(request.replacing(.document, in: hashed, encoder)) }
        let response = try await readable(try await next(hashed), to: hashed)
        let answer: Answer
        if hashed.head.method == .get, !response.mayBeGraphQL {
            // Some servers show a page to a GET without a document.
            answer = .badRequest
        } else if let body = response.body.collectedBytes {
            answer = Self.answer(status: response.head.status.code, body: body)
        } else {
            answer = .result
        }
        switch answer {
        case .result: return response
        case .notFound:
            // By POST, because the document may be too long for a URL.
            return try await next(request.replacing(.both, in: hashed, encoder, usesGET: false))
        case .notSupported:
            support.refuse()
            return try await next(request.replacing(.document, in: hashed, encoder))
        case .badRequest:
            let other = try await next(request.replacing(.document, in: hashed, encoder))
            // A request that is bad with its document, too, says nothing about persisted queries.
            if other.head.status.code != 400, other.mayBeGraphQL { support.refuse() }
            return other
        }
    }

    /// Returns the response with its body in memory if it may describe errors of persisted queries.
    private func readable(
        _ response: TransportResponse, to request: TransportRequest
    ) async throws -> TransportResponse {
        var response = try await response.collectingErrorBody(for: request)
        guard response.body.collectedBytes == nil, response.essence.hasSuffix("json") else { return response }
        response.body = ResponseBody(try await response.body.collect(upTo: limit))
        return response
    }
}

extension TransportResponse {
    /// The media type without parameters; empty without such a field.
    fileprivate var essence: String {
        head.headerFields[values: .contentType].last.map(MediaTypePattern.essence) ?? ""
    }

    /// True unless the media type excludes a GraphQL response.
    fileprivate var mayBeGraphQL: Bool {
        let essence = essence
        return essence.isEmpty || essence.hasSuffix("json") || essence == "multipart/mixed"
    }
}

/// The part of a response that says if an operation was executed.
private struct FailedOperation: Decodable {
    let errors: [GraphQLErrors.Fault]?
    /// True if the response contains data, or an error at a path in it.
    let mayHaveRun: Bool

    private enum CodingKeys: CodingKey { case errors, data }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        errors = try container.decodeIfPresent([GraphQLErrors.Fault].self, forKey: .errors)
        let data = try container.decodeIfPresent(JSON.self, forKey: .data)
        mayHaveRun =
            container.contains(.data) && errors == nil || data != nil
            || errors?.contains { !$0.path.isEmpty } == true
    }
}
