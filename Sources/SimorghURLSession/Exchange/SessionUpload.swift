// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// The request body in the form that a session accepts: bytes or a file.
///
/// A session reads a stream on the one queue that serves all of its tasks, so a slow source would delay all other
/// requests. A body in chunks is therefore collected first: in memory up to 1 MiB, otherwise in a file.
final class SessionUpload: Sendable {
    /// The largest part of a chunked body to keep in memory, in bytes.
    private static let maximumInMemory = 1024 * 1024

    enum Content: Sendable {
        case none
        case bytes(Data)
        case file(URL)
    }

    let content: Content
    /// The number of bytes to send.
    let length: Int64

    /// Creates an upload; reads a chunked body to its end.
    ///
    /// - Parameters:
    ///   - body: The encoded body.
    ///   - clock: The time limit for reading.
    /// - Throws: The error of the source, or an error if the length differs from the declared one.
    init(_ body: RequestBody, by clock: SessionClock) async throws(TransportError) {
        switch body.content {
        case .empty: (content, length) = (.none, 0)
        case .bytes(let bytes): (content, length) = (.bytes(bytes), Int64(bytes.count))
        case .chunks(let makeIterator):
            let draft = SessionUploadBuffer(maximumInMemory: Self.maximumInMemory)
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
