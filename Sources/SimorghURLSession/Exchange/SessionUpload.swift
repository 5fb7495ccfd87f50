// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
import SimorghSupport

/// The request body in the form that a session accepts: bytes, a file or a stream.
///
/// A file is sent by the session itself. On Linux a session reads a stream on the one queue that serves all of its
/// tasks, so a slow source would delay all other requests: a body in chunks is collected first, in memory up to 1 MiB,
/// otherwise in a file. On Apple platforms it is streamed.
package final class SessionUpload: Sendable {
    /// The largest part of a chunked body to keep in memory, in bytes.
    private static let maximumInMemory = 1024 * 1024

    package enum Content: Sendable, Hashable {
        case none
        case bytes(Data)
        /// A file; a temporary one is removed with the upload.
        case file(URL, isTemporary: Bool)
        /// Chunks, which the session reads from a stream.
        case stream
    }

    package let content: Content
    /// The number of bytes to send; `nil` for a stream of unknown length.
    package let length: Int64?
    /// The caller's file as it was when the upload began; `nil` for another body.
    private let file: (path: String, identity: FileIdentity)?

    /// Creates an upload; reads a chunked body to its end if the session cannot stream it.
    ///
    /// - Parameters:
    ///   - body: The encoded body.
    ///   - clock: The time limit for reading.
    ///   - capabilities: The capabilities of the session.
    /// - Throws: The error of the source, or an error if the length differs from the declared one.
    package init(
        _ body: RequestBody, by clock: SessionClock, capabilities: SessionCapabilities
    ) async throws(TransportError) {
        var file: (path: String, identity: FileIdentity)?
        switch body.content {
        case .empty: (content, length) = (.none, 0)
        case .bytes(let bytes): (content, length) = (.bytes(bytes), Int64(bytes.count))
        case .chunks(let makeIterator):
            if let path = body.filePath {
                let identity = try await Self.identity(of: path)
                guard identity.size == body.length else { throw Self.changed(path, requestMayHaveBeenSent: false) }
                file = (path, identity)
                (content, length) = (.file(URL(filePath: path), isTemporary: false), body.length)
            } else if capabilities.streamsBodies {
                (content, length) = (.stream, body.length)
            } else {
                (content, length) = try await Self.collect(makeIterator(), length: body.length, by: clock)
            }
        case .encodable, .pieces:
            throw TransportError(
                .requestBodyStreamExhausted, phase: .request, message: "the body was not encoded",
                requestMayHaveBeenSent: false)
        }
        self.file = file
    }

    deinit {
        if case .file(let url, isTemporary: true) = content { try? FileManager.default.removeItem(at: url) }
    }

    /// Returns the cause of a failure: another error if the caller's file has changed meanwhile.
    ///
    /// - Parameter error: The error of the exchange.
    /// - Returns: The cause.
    package func explained(_ error: TransportError) async -> TransportError {
        guard let file, error.code != .cancelled else { return error }
        var cause: TransportError
        do {
            guard try await Self.identity(of: file.path) != file.identity else { return error }
            cause = Self.changed(file.path, requestMayHaveBeenSent: error.requestMayHaveBeenSent)
            cause.underlying = error
        } catch let unreadable {
            cause = unreadable
        }
        // A part of the body may have reached the server before the file changed.
        (cause.facts, cause.requestMayHaveBeenSent) = (error.facts, error.requestMayHaveBeenSent)
        return cause
    }

    private static func identity(of path: String) async throws(TransportError) -> FileIdentity {
        do {
            return try await FileQueue.runUntilCancelled { try FileIdentity(of: path) }
        } catch {
            throw .unreadableBody(error, requestMayHaveBeenSent: false)
        }
    }

    private static func changed(_ path: String, requestMayHaveBeenSent: Bool) -> TransportError {
        TransportError(
            .requestBodyStreamExhausted, phase: .request,
            message: "the file \(path) changed after the request was made",
            requestMayHaveBeenSent: requestMayHaveBeenSent)
    }

    private static func collect(
        _ source: sending any AsyncIteratorProtocol<Data, any Error>, length: Int64?, by clock: SessionClock
    ) async throws(TransportError) -> (Content, Int64) {
        let draft = SessionUploadBuffer(maximumInMemory: maximumInMemory)
        do {
            try await draft.fill(from: source, length: length, by: clock)
            return try await draft.finish()
        } catch {
            await draft.discard()
            throw .unreadableBody(error, requestMayHaveBeenSent: false)
        }
    }
}
