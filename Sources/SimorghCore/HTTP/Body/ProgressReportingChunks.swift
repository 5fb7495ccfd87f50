// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// An iterator that counts the chunks of a body for upload progress.
///
/// A chunk is counted when the next one is requested, because only then has the transport taken it.
package struct ProgressReportingChunks: AsyncIteratorProtocol {
    package typealias Element = Data

    private var base: any AsyncIteratorProtocol<Data, any Error>
    private let reporter: UploadProgressReporter
    private let total: Int64?
    private var taken: Int64
    private var pending: Int64 = 0

    init(
        _ base: any AsyncIteratorProtocol<Data, any Error>, reporter: UploadProgressReporter, from start: Int64,
        total: Int64?
    ) {
        self.base = base
        self.reporter = reporter
        self.total = total
        taken = start
    }

    package mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
        if pending > 0 {
            taken += pending
            pending = 0
            reporter.sent(taken, of: total)
        }
        let chunk = try await base.next(isolation: actor)
        pending = Int64(chunk?.count ?? 0)
        return chunk
    }
}

extension RequestBody {
    /// The size of the slices in which a body in memory is counted, in bytes.
    private static let slice = 64 * 1024

    /// True if the body is sent in more than one chunk, so that progress can be reported.
    ///
    /// That holds for bodies read as they are sent, and for more than 64 KiB in memory.
    package var supportsProgress: Bool {
        switch content {
        case .empty, .encodable, .pieces: false
        case .bytes(let bytes): bytes.count > Self.slice
        case .chunks: true
        }
    }

    /// Returns the same body with its bytes counted as the transport takes them.
    ///
    /// - Parameters:
    ///   - reporter: The reporter of the progress.
    ///   - start: The number of bytes of a larger whole that precede this body.
    ///   - total: The size of that whole in bytes; `nil` if this body is the whole.
    /// - Returns: The body.
    package func counted(
        by reporter: UploadProgressReporter, from start: Int64 = 0, total: Int64? = nil
    ) -> RequestBody {
        let total = total ?? length
        let make: @Sendable () -> any AsyncIteratorProtocol<Data, any Error>
        switch content {
        case .empty, .encodable, .pieces: return self
        case .bytes(let bytes): make = { DataChunks(pieces: [bytes], size: Self.slice).makeAsyncIterator() }
        case .chunks(let chunks): make = chunks
        }
        var body = self
        body.content = .chunks { ProgressReportingChunks(make(), reporter: reporter, from: start, total: total) }
        return body
    }
}

extension TransportRequest {
    /// The request with its body counted if upload progress is reported, else the request itself.
    package var reportingProgress: TransportRequest {
        guard let reporter = options.progress else { return self }
        var request = self
        request.body = body.counted(by: reporter)
        return request
    }
}
