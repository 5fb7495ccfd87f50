// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// A body whose chunks are signed, each with the signature of the one before it
/// (`STREAMING-AWS4-HMAC-SHA256-PAYLOAD`).
package struct SigV4Chunks: AsyncIteratorProtocol {
    /// The number of bytes of a chunk, except for the last one.
    package static let chunkBytes = 64 * 1024
    /// The largest object of S3, 5 TiB.
    package static let maximumLength: Int64 = 5 << 40

    private let signer: SigV4
    private var base: any AsyncIteratorProtocol<Data, any Error>
    private var signature: String
    private var buffer = Data()
    private var hasEnded = false
    private var isFinished = false

    package init(_ base: any AsyncIteratorProtocol<Data, any Error>, signer: SigV4, seed: String) {
        self.base = base
        self.signer = signer
        signature = seed
    }

    /// Returns a body with signatures; each time it is sent, it begins with the same one.
    static func body(_ body: RequestBody, signer: SigV4, seed: String) -> RequestBody {
        RequestBody(
            content: .chunks { SigV4Chunks(body.makeChunks(), signer: signer, seed: seed) },
            contentType: body.contentType, length: body.length.map(encodedLength), replayability: body.replayability)
    }

    /// Returns the number of bytes with all signatures.
    package static func encodedLength(_ length: Int64) -> Int64 {
        let (full, rest) = length.quotientAndRemainder(dividingBy: Int64(chunkBytes))
        return full * frame(chunkBytes) + (rest > 0 ? frame(Int(rest)) : 0) + frame(0)
    }

    /// Returns the number of bytes of a chunk with its signature and its line ends.
    private static func frame(_ count: Int) -> Int64 {
        Int64(String(count, radix: 16).utf8.count + ";chunk-signature=".utf8.count + 64 + 4 + count)
    }

    package mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
        guard !isFinished else { return nil }
        while buffer.count < Self.chunkBytes, !hasEnded {
            guard let more = try await base.next(isolation: actor) else {
                hasEnded = true
                break
            }
            // Copies the rest of a slice once for each chunk: a slice would keep all bytes before it.
            if buffer.startIndex > 0 { buffer = Data(buffer) }
            buffer.append(more)
        }
        let chunk = Data(buffer.prefix(Self.chunkBytes))
        buffer = buffer.dropFirst(chunk.count)
        // The chunk of zero bytes is the last one.
        isFinished = chunk.isEmpty
        signature = signer.signature(of: signer.stringToSign(chunk: chunk, after: signature))
        var frame = Data("\(String(chunk.count, radix: 16));chunk-signature=\(signature)\r\n".utf8)
        frame.append(chunk)
        frame.append(contentsOf: "\r\n".utf8)
        return frame
    }
}
