// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A body's chunks, counted: each when the next one is asked for, since then it has been taken.
package struct CountedChunks: AsyncIteratorProtocol {
    package typealias Element = Data

    private var base: any AsyncIteratorProtocol<Data, any Error>
    private let meter: UploadMeter
    private let total: Int64?
    private var taken: Int64
    private var pending: Int64 = 0

    init(_ base: any AsyncIteratorProtocol<Data, any Error>, meter: UploadMeter, from start: Int64, total: Int64?) {
        self.base = base
        self.meter = meter
        self.total = total
        taken = start
    }

    package mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
        if pending > 0 {
            taken += pending
            pending = 0
            meter.sent(taken, of: total)
        }
        let chunk = try await base.next(isolation: actor)
        pending = Int64(chunk?.count ?? 0)
        return chunk
    }
}

extension RequestBody {
    /// So much of a body in memory is counted at a time, in bytes.
    private static let slice = 64 * 1024

    /// Whether it goes in more than one piece, so that there is something to count: what is read as it is sent, and many
    /// bytes.
    package var isCountable: Bool {
        switch content {
        case .empty, .encodable, .pieces: false
        case .bytes(let bytes): bytes.count > Self.slice
        case .chunks: true
        }
    }

    /// The same body, its bytes counted as they are taken.
    ///
    /// - Parameters:
    ///   - meter: What counts.
    ///   - start: How many bytes of a larger whole lie before this body.
    ///   - total: How many bytes that whole has; those of this body where it is `nil`.
    /// - Returns: The body.
    package func counted(by meter: UploadMeter, from start: Int64 = 0, total: Int64? = nil) -> RequestBody {
        let total = total ?? length
        let make: @Sendable () -> any AsyncIteratorProtocol<Data, any Error>
        switch content {
        case .empty, .encodable, .pieces: return self
        case .bytes(let bytes): make = { DataChunks(pieces: [bytes], size: Self.slice).makeAsyncIterator() }
        case .chunks(let chunks): make = chunks
        }
        var body = self
        body.content = .chunks { CountedChunks(make(), meter: meter, from: start, total: total) }
        return body
    }
}

extension TransportRequest {
    /// The request with its body counted, where somebody wants to know.
    package var metered: TransportRequest {
        guard let meter = options.progress else { return self }
        var request = self
        request.body = body.counted(by: meter)
        return request
    }
}
