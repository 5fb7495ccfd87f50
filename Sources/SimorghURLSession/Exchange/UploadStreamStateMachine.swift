// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

/// The state machine that writes a body into a stream as fast as the session reads it.
///
/// One chunk is read from the source whenever the stream has space, so at most one chunk is in memory.
package struct UploadStreamStateMachine: Sendable {
    package enum Action: Sendable {
        /// Read the next chunk from the source.
        case read
        /// Write the bytes, and report how many the stream has taken.
        case write(Data)
        /// The source has ended after this number of bytes.
        case end(Int64)
        /// Fail the exchange.
        case fail(TransportError)
        /// Stop reading the source, but keep the stream open.
        case stopReading
        /// Close the stream, and stop reading the source.
        case close
    }

    private let length: Int64?
    private var count: Int64 = 0
    private var rest = Data()
    private var hasSpace = false
    private var isReading = false
    private var isAtEnd = false
    /// True once the body is not needed, or incomplete.
    ///
    /// The stream stays open until the task has ended: the session would take a closed stream for the end of the body,
    /// and the server would receive a part of it as a complete request.
    private var isAbandoned = false
    /// True once the stream was closed.
    package private(set) var isClosed = false

    /// Creates the machine.
    ///
    /// - Parameter length: The length of the body, in bytes; `nil` if it is unknown.
    package init(length: Int64?) { self.length = length }

    /// True if no more chunks are needed.
    package var needsNoChunks: Bool { isClosed || isAbandoned }

    /// Handles space in the stream.
    package mutating func spaceAvailable() -> [Action] {
        hasSpace = true
        return proceed()
    }

    /// Handles a chunk of the source.
    package mutating func chunkArrived(_ chunk: Data) -> [Action] {
        guard !needsNoChunks else { return [] }
        isReading = false
        count += Int64(chunk.count)
        if let length, count > length { return fail(.wrongLength(of: length)) }
        rest = chunk
        return proceed()
    }

    /// Handles the end of the source.
    package mutating func sourceEnded() -> [Action] {
        guard !needsNoChunks else { return [] }
        (isReading, isAtEnd) = (false, true)
        if let length, count < length { return fail(.wrongLength(of: length)) }
        return [.end(count)] + proceed()
    }

    /// Handles an error of the source.
    package mutating func sourceFailed(_ error: any Error) -> [Action] {
        needsNoChunks ? [] : fail(.unreadableBody(error, requestMayHaveBeenSent: true))
    }

    /// Handles the result of a write; zero or less if the session reads no longer.
    package mutating func wrote(_ written: Int) -> [Action] {
        guard !isClosed else { return [] }
        guard written > 0 else { return stopped() }
        // The stream reports the remaining space as a new event.
        if !isAbandoned { rest = rest.dropFirst(written) }
        return proceed()
    }

    /// Handles the end of the exchange while its task may still read the stream.
    package mutating func abandoned() -> [Action] {
        guard !needsNoChunks else { return [] }
        (isAbandoned, rest) = (true, Data())
        return [.stopReading]
    }

    /// Handles the end of the task, or of the session's end of the stream.
    package mutating func stopped() -> [Action] {
        guard !isClosed else { return [] }
        (isClosed, rest) = (true, Data())
        return [.close]
    }

    private mutating func proceed() -> [Action] {
        guard !needsNoChunks, hasSpace else { return [] }
        if !rest.isEmpty {
            hasSpace = false
            return [.write(rest)]
        }
        if isAtEnd { return stopped() }
        guard !isReading else { return [] }
        isReading = true
        return [.read]
    }

    private mutating func fail(_ error: TransportError) -> [Action] { [.fail(error)] + abandoned() }
}
