// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
import SimorghCore
public import SimorghSupport

/// A response of the responder of an ``InProcessTransport``.
public struct InProcessResponse: Sendable {
    /// The status and the header fields.
    public var head: HTTPResponse
    let write: @Sendable (InProcessBodyWriter) async throws -> Void

    /// Creates a response with a body that is written piece by piece.
    ///
    /// ```swift
    /// import HTTPTypes
    ///
    /// let response = InProcessResponse(head: HTTPResponse(status: .ok)) { writer in
    ///     for number in 1...3 { try await writer.write(Data("\(number)\n".utf8)) }
    /// }
    /// ```
    /// The body ends when the function returns. It breaks off if the function throws, and the client's call or stream
    /// fails with the function's error as its cause.
    ///
    /// - Parameters:
    ///   - head: The status and the header fields. If they have `Content-Length`, the body must have that length.
    ///   - body: Writes the body; called at most once, and not if the response to the request has no body.
    public init(head: HTTPResponse, writingBody body: @escaping @Sendable (InProcessBodyWriter) async throws -> Void) {
        self.head = head
        write = body
    }

    /// Creates a response with a body of chunks.
    ///
    /// - Parameters:
    ///   - head: The status and the header fields.
    ///   - chunks: The body, read only as fast as the client reads it.
    public init<Chunks: AsyncSequence & Sendable>(head: HTTPResponse, chunks: Chunks) where Chunks.Element == Data {
        self.init(head: head) { writer in
            for try await chunk in chunks { try await writer.write(chunk) }
        }
    }

    /// Creates a response with a body in memory.
    ///
    /// - Parameters:
    ///   - status: The status; 200 by default.
    ///   - headerFields: The header fields; `Content-Length` is added.
    ///   - body: The body; empty by default.
    ///   - contentType: The media type; `nil`, the default, to send none.
    public init(
        status: HTTPResponse.Status = .ok, headerFields: HTTPFields = [:], body: Data = Data(),
        contentType: String? = nil
    ) {
        var head = HTTPResponse(status: status, headerFields: headerFields)
        if let contentType { head.headerFields[.contentType] = contentType }
        if status.code != 204, status.code != 304 { head.headerFields[.contentLength] = "\(body.count)" }
        self.init(head: head) { writer in try await writer.write(body) }
    }
}

/// Writes the body of an ``InProcessResponse``.
public struct InProcessBodyWriter: Sendable {
    private let handoff: BodyHandoff

    init(_ handoff: BodyHandoff) { self.handoff = handoff }

    /// Writes a chunk, and waits until the client has taken it.
    ///
    /// Only one task may write at a time.
    ///
    /// - Parameter bytes: The bytes; no bytes have no effect.
    /// - Throws: `CancellationError` if the client does not read the body any more, or after ``finish(_:)``.
    public func write(_ bytes: Data) async throws { try await handoff.write(bytes) }

    /// Ends the body before the writing function returns, with trailer fields.
    ///
    /// Only the first call has an effect.
    ///
    /// - Parameter trailers: The trailer fields; none by default.
    public func finish(_ trailers: HTTPFields = HTTPFields()) { handoff.end(with: .end(trailers)) }
}
