// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport

/// Verifies that a response has no more bytes than its range, and that they match its digest.
struct RangeVerifier: Sendable {
    private var rest: Int64
    private var hasher: FileHasher
    private let digests: [DownloadDigest]

    init(_ stream: DownloadAttempt.Stream) {
        rest = stream.range.upperBound - stream.range.lowerBound
        digests = stream.digests
        var algorithms = Set(stream.digests.map(\.algorithm))
        // The digest of a range may arrive in a trailer; the digest of the whole body belongs to the file.
        let promised = stream.response.headers[.trailer]?.lowercased() ?? ""
        if stream.isPart, promised.contains("content-digest") { algorithms.formUnion([.sha256, .sha512]) }
        hasher = FileHasher(algorithms)
    }

    /// True if all bytes were received.
    var isAtEnd: Bool { rest == 0 }

    /// Verifies the next bytes, before any of them is used.
    ///
    /// - Parameter chunk: The bytes.
    /// - Throws: ``DownloadAttemptError/changed(_:)``.
    mutating func take(_ chunk: Data) throws(DownloadAttemptError) {
        rest -= Int64(chunk.count)
        guard rest >= 0 else { throw .changed("the server sent more bytes than its Content-Range") }
        guard !hasher.isIdle else { return }
        chunk.withUnsafeBytes { hasher.update($0) }
        if rest == 0 { try compare(digests) }
    }

    /// Compares the range with the digests in the trailers.
    ///
    /// - Parameter trailers: The trailers of the response.
    /// - Throws: ``DownloadAttemptError/changed(_:)``.
    func end(_ trailers: HTTPFields) throws(DownloadAttemptError) {
        guard rest == 0, !hasher.isIdle, !trailers.isEmpty else { return }
        try compare(DownloadDigest.ofContent(trailers, legacy: false))
    }

    private func compare(_ expected: [DownloadDigest]) throws(DownloadAttemptError) {
        for digest in hasher.digests {
            guard let other = expected.first(where: { $0.algorithm == digest.algorithm }), other != digest else {
                continue
            }
            throw .changed("the \(digest.algorithm.rawValue) digest of a range does not match its Content-Digest")
        }
    }
}
