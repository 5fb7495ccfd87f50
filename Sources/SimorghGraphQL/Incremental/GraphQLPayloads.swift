// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCore
import SimorghRealtime
import SimorghSupport

/// The JSON payloads of a response that streams: the parts of a multipart response, or the only one of a JSON response.
package struct GraphQLPayloads {
    /// The form of the body.
    private enum Form {
        case multipart(MultipartMixedParser)
        case json
    }

    private let response: StreamingResponse
    private var form: Form
    private var chunks: ResponseBody.Iterator
    private var chunk = Data()
    private var position = 0
    private var isOver = false
    private let limit: Int
    /// The number of bytes that all parts together may still have.
    private var remaining: Int

    /// Starts to read a response.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - limit: The largest part, in bytes.
    ///   - total: The largest number of bytes of all parts together, with their headers; `nil` for no limit.
    /// - Throws: `NetworkError` if the response has another media type or an invalid boundary.
    package init(_ response: StreamingResponse, limit: Int, total: Int?) throws(NetworkError) {
        let field = response.headers[values: .contentType].last ?? ""
        switch GraphQLMediaType(field) {
        case .multipart(let boundary):
            guard let parser = MultipartMixedParser(boundary: boundary, limit: limit) else {
                throw NetworkError(
                    .malformedMultipart, "the boundary of the multipart response is invalid", response.head)
            }
            form = .multipart(parser)
        case .json: form = .json
        case .other:
            throw NetworkError(
                .contentType, "expected multipart/mixed or JSON, but the response has Content-Type \(field)",
                response.head)
        }
        self.response = response
        self.limit = limit
        remaining = total ?? .max
        chunks = response.chunks.makeAsyncIterator()
    }

    /// True if the response has several parts.
    package var isMultipart: Bool {
        guard case .multipart = form else { return false }
        return true
    }

    /// Returns the next payload; `nil` at the end.
    package mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Data? {
        guard !isOver else { return nil }
        do {
            let payload: Data?
            switch form {
            case .json:
                isOver = true
                return try await collect(isolation: actor)
            case .multipart(let parser): payload = try await nextPart(parser, isolation: actor)
            }
            return payload
        } catch {
            stop()
            throw NetworkError(graphQL: error, response.head)
        }
    }

    /// Ends reading; the connection is kept if the end of the body is near.
    package mutating func release() {
        chunks.linger()
        stop()
    }

    private mutating func stop() {
        isOver = true
        chunk = Data()
        chunks = ResponseBody.empty.makeAsyncIterator()
    }

    private mutating func nextPart(
        _ current: MultipartMixedParser, isolation actor: isolated (any Actor)?
    ) async throws -> Data? {
        var parser = current
        // The buffers of the parser must have one owner while it changes.
        form = .json
        defer { form = .multipart(parser) }
        while true {
            while position < chunk.count {
                var end = position
                let part = try chunk.withUnsafeBytes { bytes throws(GraphQLProtocolError) in
                    try parser.next(in: bytes, at: &end)
                }
                // With headers and delimiters, so that a server that sends only empty parts is stopped as well.
                remaining -= end - position
                position = end
                guard remaining >= 0 else {
                    throw GraphQLProtocolError(.limitExceeded, "all parts together exceed maximumCollectedBytes")
                }
                guard let part else { break }
                // The part between two delimiters without content.
                if part.body.isEmpty { continue }
                guard part.contentType.map({ GraphQLMediaType($0) == .json }) ?? true else {
                    throw GraphQLProtocolError(
                        .malformedMultipart, "a part has the media type \(part.contentType ?? "")")
                }
                return part.body
            }
            if parser.isClosed {
                release()
                return nil
            }
            guard let next = try await chunks.next(isolation: actor) else {
                try parser.finish()
                return nil
            }
            chunk = next
            position = 0
        }
    }

    private mutating func collect(isolation actor: isolated (any Actor)?) async throws -> Data {
        var body = Data()
        while let next = try await chunks.next(isolation: actor) {
            let most = min(limit, remaining)
            guard next.count <= most - body.count else {
                throw GraphQLProtocolError(.limitExceeded, "the response is larger than the limit of \(most) bytes")
            }
            body.append(next)
        }
        return body
    }
}

/// The media types of responses that stream.
package enum GraphQLMediaType: Equatable {
    case multipart(boundary: [UInt8])
    case json
    case other

    package init(_ field: String) {
        let essence = MediaTypePattern.essence(of: field)
        if essence == "multipart/mixed" {
            let found = FieldParameters.read(Array(field.utf8)).first { $0.name == "boundary" }
            self = .multipart(boundary: found?.value ?? [0x2D])
        } else if essence.hasSuffix("/json") || essence.hasSuffix("+json") {
            self = .json
        } else {
            self = .other
        }
    }
}

extension NetworkError {
    /// Creates the error for a failure while a response was read.
    package init(graphQL error: any Error, _ head: CollectedResponse) {
        if let error = error as? NetworkError {
            self = error
        } else if error is GraphQLProtocolError || error is GraphQLErrors {
            self.init(error, head)
        } else {
            self.init(streaming: error, head)
        }
    }
}
