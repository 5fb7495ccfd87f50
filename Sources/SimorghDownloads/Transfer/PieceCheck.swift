// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport

/// Sees to it that a part brings no more than it said, and by its hash what it said.
struct PieceCheck: Sendable {
    private var rest: Int64
    private var hasher: DownloadHasher
    private let digests: [DownloadDigest]

    init(_ stream: DownloadRun.Stream) {
        rest = stream.range.upperBound - stream.range.lowerBound
        digests = stream.digests
        var algorithms = Set(stream.digests.map(\.algorithm))
        // The hash of a part may come behind it; that of the whole is for the file.
        let promised = stream.answer.headers[.trailer]?.lowercased() ?? ""
        if stream.isPart, promised.contains("content-digest") { algorithms.formUnion([.sha256, .sha512]) }
        hasher = DownloadHasher(algorithms)
    }

    /// Whether all has come.
    var isAtEnd: Bool { rest == 0 }

    /// Takes the next bytes in, before any of them counts.
    ///
    /// - Parameter chunk: The bytes.
    /// - Throws: ``DownloadStop/changed(_:)``.
    mutating func take(_ chunk: Data) throws(DownloadStop) {
        rest -= Int64(chunk.count)
        guard rest >= 0 else { throw .changed("the server gave more than the part that it named") }
        guard !hasher.isIdle else { return }
        chunk.withUnsafeBytes { hasher.update($0) }
        if rest == 0 { try compare(digests) }
    }

    /// Compares the part with what came behind it.
    ///
    /// - Parameter trailers: The fields behind the body.
    /// - Throws: ``DownloadStop/changed(_:)``.
    func end(_ trailers: HTTPFields) throws(DownloadStop) {
        guard rest == 0, !hasher.isIdle, !trailers.isEmpty else { return }
        try compare(DownloadDigest.ofContent(trailers, legacy: false))
    }

    private func compare(_ expected: [DownloadDigest]) throws(DownloadStop) {
        for digest in hasher.digests {
            guard let other = expected.first(where: { $0.algorithm == digest.algorithm }), other != digest else {
                continue
            }
            throw .changed("the \(digest.algorithm.rawValue) hash of a part is not what the server says")
        }
    }
}
