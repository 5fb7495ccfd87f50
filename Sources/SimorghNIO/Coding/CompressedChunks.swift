// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// The chunks of a body, compressed on demand.
struct CompressedChunks: AsyncIteratorProtocol {
    typealias Element = Data

    /// The number of bytes that are compressed at a time, so that a large chunk takes neither much memory nor a thread
    /// for long.
    private static let slice = 256 * 1024

    private var base: any AsyncIteratorProtocol<Data, any Error>
    private let coding: RequestBody.Coding
    private let isLive: Bool
    private var deflater: ZlibCompressor?
    /// The rest of a chunk.
    private var rest = Data()
    private var isEnded = false

    /// Creates an iterator.
    ///
    /// - Parameters:
    ///   - base: The chunks.
    ///   - coding: The content coding.
    ///   - isLive: True if each chunk must be sent completely before the next one is available.
    init(_ base: any AsyncIteratorProtocol<Data, any Error>, coding: RequestBody.Coding, isLive: Bool) {
        self.base = base
        self.coding = coding
        self.isLive = isLive
    }

    mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
        guard !isEnded else { return nil }
        let deflater = try deflater ?? ZlibCompressor(coding)
        self.deflater = deflater
        while true {
            if rest.isEmpty {
                guard let chunk = try await base.next(isolation: actor) else {
                    isEnded = true
                    return deflater.compress(Data(), flush: .end)
                }
                rest = chunk
                guard !rest.isEmpty else { continue }
            }
            let part = rest.prefix(Self.slice)
            rest = rest.dropFirst(Self.slice)
            let compressed = deflater.compress(part, flush: isLive && rest.isEmpty ? .all : .none)
            if !compressed.isEmpty { return compressed }
        }
    }
}
