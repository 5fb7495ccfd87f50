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
            let codec = codecs.map { $0.codec(for: read.head.headerFields[values: .contentType].last) ?? $0.first }
            let changed = try ValueChange(from: old, to: new, codec: codec ?? .json, encoder: encoder)
            guard changed.old != changed.new else { return read }
            let outcome = WriteOutcome()
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
        read.askForStrongTag()
        var response = try await next(read)
        guard (200..<300).contains(response.head.status.code) else { return response }
        if let first = response.redirects.first, let last = response.redirects.last {
            guard let origin = WebOrigin(first.from), origin == WebOrigin(last.to) else {
                throw EntityTagError(.anotherOrigin, url: last.to)
            }
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
        switch method {
        case .put: .bytes(change.bytes, contentType: change.contentType)
        case .mergePatch:
            try RequestBody.mergePatch(try MergePatch(from: change.old, to: change.new)).encoded(with: JSONEncoder())
        case .jsonPatch:
            try RequestBody.jsonPatch(try JSONPatch(from: change.old, to: change.new)).encoded(with: JSONEncoder())
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

/// A value before and after its change.
private struct ValueChange {
    let old: JSON
    let new: JSON
    /// The changed value in the format of the resource.
    let bytes: Data
    let contentType: String

    init<Value: Codable>(from old: Value, to new: Value, codec: BodyCodec, encoder: JSONEncoder) throws {
        self.old = try JSON.encoded(old, by: encoder)
        contentType = codec.mediaTypes[0]
        bytes = try codec.encode(new, as: contentType, json: encoder)
        self.new = codec.isJSON ? try JSON(parsing: bytes) : try JSON.encoded(new, by: encoder)
    }
}
