// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCore
import SimorghRealtime
import SimorghSupport
import Synchronization

/// The memory of a client about a server's automatic persisted queries.
package final class PersistedQuerySupport: Sendable {
    /// The number of bad requests in a row after which a server does not support them.
    ///
    /// One may come from a firewall in front of a server that does.
    package static let maximumBadRequests = 2

    private let refused = Atomic(false)
    private let badRequests = Atomic(0)

    package init() {}

    /// True if the server does not support them, so that every request contains its document.
    package var isRefused: Bool { refused.load(ordering: .relaxed) }

    /// Notes that the server does not support them.
    package func refuse() { refused.store(true, ordering: .relaxed) }

    /// Notes that the server understood a hash.
    package func noteSupport() { badRequests.store(0, ordering: .relaxed) }

    /// Notes that a hash was a bad request, and its document was not.
    package func noteBadRequest() {
        if badRequests.wrappingAdd(1, ordering: .relaxed).newValue >= Self.maximumBadRequests { refuse() }
    }
}

/// Sends the hash of a query's document first, and the document only if the server does not know it.
///
/// Only for queries, which may be executed twice: servers describe an unknown hash in too many forms to exclude that
/// the response is one of an executed operation.
package struct PersistedQueryExchange: Sendable {
    package let request: GraphQLRequestDescription
    package let server: PersistedQuerySupport
    package let encoder: JSONEncoder
    /// The largest JSON body to collect of a response that streams, in bytes.
    package let limit: Int
    /// The largest error body that the call keeps, in bytes.
    package let errorLimit: Int

    /// The meaning of a response to a hash.
    package enum Answer: Sendable, Equatable {
        /// The server does not know the document.
        case notFound
        /// The server does not support persisted queries.
        case notSupported
        /// The server shows a page to a GET without a document.
        case webPage
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
        guard let found = try? Coders.decoder.decode(FailedOperation.self, from: body) else {
            return status == 400 ? .badRequest : .result
        }
        guard !found.mayHaveRun else { return .result }
        let faults = found.errors ?? []
        for (answer, messages) in errors {
            for fault in faults where messages.contains(fault.message) || messages.contains(fault.code) {
                return answer
            }
        }
        return status == 400 ? .badRequest : .result
    }

    /// The messages and codes of errors.
    private static let errors: [(Answer, [String])] = [
        // The last one is that of Undine.
        (.notFound, ["PersistedQueryNotFound", "PERSISTED_QUERY_NOT_FOUND", "PERSISTED_DOCUMENT_NOT_FOUND"]),
        (.notSupported, ["PersistedQueryNotSupported", "PERSISTED_QUERY_NOT_SUPPORTED"]),
    ]

    /// Reads a response to a hash.
    private static func answer(_ response: TransportResponse, isGET: Bool) -> Answer {
        let status = response.head.status.code
        guard response.mayBeGraphQL else {
            if isGET, (200..<300).contains(status) { return .webPage }
            // Any other page, such as one with the status 503, has nothing to do with the hash.
            return status == 400 || isGET && (status == 405 || status == 415) ? .badRequest : .result
        }
        guard let body = response.body.collectedBytes else { return status == 400 ? .badRequest : .result }
        return answer(status: status, body: body)
    }

    /// Sends a request that contains the hash alone.
    package func send(_ hashed: TransportRequest, next: Interceptor.Next) async throws -> TransportResponse {
        guard !server.isRefused else { return try await send(.document, for: hashed, next: next) }
        let response = try await readable(try await next(hashed), to: hashed)
        let answer = Self.answer(response, isGET: hashed.head.method == .get)
        switch answer {
        case .result:
            if response.isSuccess { server.noteSupport() }
            return response
        case .notFound:
            server.noteSupport()
            // By POST, because the document may be too long for a URL.
            return try await send(.both, for: hashed, usesGET: false, next: next)
        case .notSupported:
            server.refuse()
            return try await send(.document, for: hashed, next: next)
        case .webPage, .badRequest:
            let other = try await send(.document, for: hashed, next: next)
            // A request that is bad with its document, too, says nothing about persisted queries.
            guard other.isSuccess, other.mayBeGraphQL else { return other }
            if answer == .webPage { server.refuse() } else { server.noteBadRequest() }
            return other
        }
    }

    /// Sends the request with other parameters.
    private func send(
        _ form: GraphQLRequestContent.Form, for hashed: TransportRequest, usesGET: Bool = true,
        next: Interceptor.Next
    ) async throws -> TransportResponse {
        let sent = try request.replacing(form, in: hashed, encoder, usesGET: usesGET)
        let response = try await next(sent)
        // The call compares with the method of its first request, which may be a GET.
        let withoutBody = CollectedResponse(response, body: Data(), to: sent.head)
        if let error = GraphQLResponseErrors.lostOperation(withoutBody) { throw error }
        return response
    }

    /// Returns the response with its body in memory if it may describe errors of persisted queries.
    private func readable(
        _ response: TransportResponse, to request: TransportRequest
    ) async throws -> TransportResponse {
        var request = request
        if case .streamed = request.options.delivery {
            guard response.isJSON else { return response }
            request.options.delivery = .collected(upTo: limit)
            // One byte more than the error keeps, so that the call notices a larger body.
            request.options.errorBodyBytes = min(max(0, errorLimit), Int.max - 1) + 1
        }
        var response = try await response.collectingErrorBody(for: request)
        guard response.body.collectedBytes == nil, response.isJSON else { return response }
        response.body = ResponseBody(try await response.body.collect(upTo: limit))
        return response
    }
}

extension TransportResponse {
    /// The media type without parameters; empty without such a field.
    fileprivate var essence: String {
        head.headerFields[values: .contentType].last.map(MediaTypePattern.essence) ?? ""
    }

    /// True for a status from 200 to 299.
    fileprivate var isSuccess: Bool { (200..<300).contains(head.status.code) }

    /// True if the media type is JSON.
    fileprivate var isJSON: Bool { GraphQLMediaType(essence) == .json }

    /// True unless the media type excludes a GraphQL response.
    fileprivate var mayBeGraphQL: Bool {
        let essence = essence
        return essence.isEmpty || isJSON || essence == "multipart/mixed"
    }
}

extension GraphQLErrors.Fault {
    /// The code of the error; empty without one.
    fileprivate var code: String { extensions["code"].string ?? "" }
}

/// The part of a response that says if an operation was executed.
private struct FailedOperation: Decodable {
    let errors: [GraphQLErrors.Fault]?
    /// True if the response contains data, or an error at a path in it.
    ///
    /// Null data alone does not show it, because some servers add it to any error.
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
