// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport

/// Reads a value, changes it, and writes it with the condition that the resource is still the same.
struct UpdateExchange<Value: Codable & Sendable>: Sendable {
    let method: UpdateMethod
    let attempts: Int
    let coding: APIClient.Configuration.Coding
    let limit: Int
    /// The fields that may hold an idempotency key.
    let keyFields: [HTTPField.Name]
    let change: @Sendable (inout Value) async throws -> Void

    private var encoder: JSONEncoder { coding.encoder ?? JSONEncoder() }
    private var decoder: JSONDecoder { coding.decoder ?? JSONDecoder() }

    func run(_ request: TransportRequest, next: Interceptor.Next) async throws -> TransportResponse {
        var attempt = 1
        while true {
            let read = try await self.read(request, next: next)
            guard (200..<300).contains(read.head.status.code) else { return read }
            guard let tag = read.head.headerFields.strongTag else {
                throw EntityTagError(.noStrongTag, url: request.head.urlString)
            }
            guard let old = try value(of: read, to: request) else { return read }
            var new = old
            try await change(&new)
            let codecs = request.options.call?.codecs
            let type = method == .put ? request.head.headerFields[values: .contentType].last : nil
            let readType = read.head.headerFields[values: .contentType].last
            let codec = codecs.map { $0.codec(for: type ?? readType) ?? $0.first }
            let changed = try ValueChange(from: old, to: new, codec: codec ?? .json, as: type, encoder: encoder)
            guard changed.isChange else { return read }
            let outcome = WriteOutcome(after: read)
            // Each write has another body, so it is another request for the server, and not an attempt of the last one.
            if attempt > 1 { request.options.call?.renewIdempotencyKeys() }
            var write = request
            write.head.headerFields[.ifMatch] = tag.description
            write.options.userInfo[WriteOutcome.Key.self] = outcome
            write.body = try writtenBody(changed)
            write.head.headerFields[.contentType] = write.body.contentType
            let response = try await next(write)
            guard response.head.status.code == 412, attempt < attempts, !outcome.isUncertain else {
                return try await whole(response, of: changed, setsType: codecs != nil)
            }
            attempt += 1
        }
    }

    private func read(_ request: TransportRequest, next: Interceptor.Next) async throws -> TransportResponse {
        var read = request
        read.head.method = .get
        read.body = .empty
        for name in keyFields + [.contentType] { read.head.headerFields[name] = nil }
        read.askForStrongTag()
        var response = try await next(read)
        guard (200..<300).contains(response.head.status.code) else { return response }
        // Another origin that leads back would choose which resource is read and written.
        if let away = response.redirects.first(where: \.leavesOrigin) {
            throw EntityTagError(.anotherOrigin, url: away.to)
        }
        guard !response.wasRetriedCrossOrigin else {
            throw EntityTagError(.anotherOrigin, url: request.head.urlString)
        }
        response.body = ResponseBody(try await response.body.collect(upTo: limit))
        return response
    }

    /// Returns the decoded value; `nil` if the response has no body, which the decoding of the call reports.
    private func value(of response: TransportResponse, to request: TransportRequest) throws -> Value? {
        guard let data = response.body.collectedBytes, !data.isEmpty else { return nil }
        return try CollectedResponse(response, body: data, to: request.head, codecs: request.options.call?.codecs)
            .decode(Value.self, using: decoder)
    }

    private func writtenBody(_ change: ValueChange) throws -> RequestBody {
        if method == .put { return .bytes(change.bytes, contentType: change.contentType) }
        guard change.isExactInJSON else {
            throw InvalidRequestError(
                .encodingFailed,
                message: "a patch cannot express the change exactly: a number has more digits than a Double, or a text "
                    + "changes only in its Unicode normalization; update with .put")
        }
        switch method {
        case .mergePatch:
            return try RequestBody.mergePatch(try MergePatch(from: change.old, to: change.new))
                .encoded(with: JSONEncoder())
        default:
            return try RequestBody.jsonPatch(try JSONPatch(from: change.old, to: change.new))
                .encoded(with: JSONEncoder())
        }
    }

    /// Returns the response with the written value as its body if it has none.
    private func whole(
        _ response: TransportResponse, of change: ValueChange, setsType: Bool
    ) async throws -> TransportResponse {
        guard (200..<300).contains(response.head.status.code) else { return response }
        var response = response
        let bytes = try await response.body.collect(upTo: limit)
        response.body = ResponseBody(bytes.isEmpty ? change.bytes : bytes)
        if bytes.isEmpty, setsType { response.head.headerFields[.contentType] = change.contentType }
        return response
    }
}
