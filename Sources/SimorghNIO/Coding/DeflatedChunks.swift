// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// The chunks of a body, compressed as they are asked for.
struct DeflatedChunks: AsyncIteratorProtocol {
    typealias Element = Data

    /// So much is compressed at a time, so that neither memory nor a thread is held up by a large piece.
    private static let slice = 256 * 1024

    private var base: any AsyncIteratorProtocol<Data, any Error>
    private let coding: RequestBody.Coding
    private let isLive: Bool
    private var deflater: Deflater?
    /// What is left of a piece.
    private var rest = Data()
    private var isEnded = false

    /// - Parameters:
    ///   - base: The chunks.
    ///   - coding: How to compress them.
    ///   - isLive: Whether each chunk is to go out whole before the next is there.
    init(_ base: any AsyncIteratorProtocol<Data, any Error>, _ coding: RequestBody.Coding, isLive: Bool) {
        self.base = base
        self.coding = coding
        self.isLive = isLive
    }

    mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
        guard !isEnded else { return nil }
        let deflater = try deflater ?? Deflater(coding)
        self.deflater = deflater
        while true {
            if rest.isEmpty {
                guard let chunk = try await base.next(isolation: actor) else {
                    isEnded = true
                    return deflater.compress(Data(), .end)
                }
                rest = chunk
                guard !rest.isEmpty else { continue }
            }
            let part = rest.prefix(Self.slice)
            rest = rest.dropFirst(Self.slice)
            let compressed = deflater.compress(part, isLive && rest.isEmpty ? .all : .none)
            if !compressed.isEmpty { return compressed }
        }
    }
}
