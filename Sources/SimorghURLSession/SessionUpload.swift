// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// The body of a request as a session takes it: bytes, or a file.
///
/// A session reads a stream on the one queue that serves all of its tasks, so that a source that thinks would hold up
/// everybody else's requests. What comes in chunks is therefore written to a file first, but for what fits into a
/// mebibyte.
final class SessionUpload: Sendable {
    /// How much of a body in chunks stays in memory.
    private static let mostInMemory = 1024 * 1024

    enum Content: Sendable {
        case none
        case bytes(Data)
        case file(URL)
    }

    let content: Content
    /// How many bytes there are to send.
    let length: Int64

    /// Reads a body to its end, where it comes in chunks.
    ///
    /// - Parameters:
    ///   - body: The body, encoded.
    ///   - clock: How long that may take.
    /// - Throws: What the source throws, or that it has another length than it said.
    init(_ body: RequestBody, by clock: SessionClock) async throws(TransportError) {
        switch body.content {
        case .empty: (content, length) = (.none, 0)
        case .bytes(let bytes): (content, length) = (.bytes(bytes), Int64(bytes.count))
        case .chunks(let makeIterator):
            let draft = SessionUploadDraft(mostInMemory: Self.mostInMemory)
            do {
                try await draft.fill(from: makeIterator(), length: body.length, by: clock)
                (content, length) = try await draft.finish()
            } catch {
                await draft.discard()
                throw Self.failure(error)
            }
        case .encodable, .pieces:
            throw TransportError(
                .requestBodyStreamExhausted, phase: .request, message: "the body was not encoded",
                requestMayHaveBeenSent: false)
        }
    }

    deinit {
        if case .file(let url) = content { try? FileManager.default.removeItem(at: url) }
    }

    private static func failure(_ error: any Error) -> TransportError {
        if let error = error as? TransportError { return error }
        if error is CancellationError { return .cancelled(phase: .queue) }
        return TransportError(
            .requestBodyStreamExhausted, phase: .request, message: "the body of the request failed: \(error)",
            requestMayHaveBeenSent: false, underlying: error)
    }
}
