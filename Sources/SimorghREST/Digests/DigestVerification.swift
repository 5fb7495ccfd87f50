// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport

/// The verification of one response.
struct DigestVerification: Sendable {
    /// A digest that a message has.
    struct Expectation: Sendable {
        let field: ContentDigest.Field
        let digest: ContentDigest
    }

    let isRequired: Bool

    /// True if a response with a status must have a digest: redirects and challenges, which lead to another request, and
    /// errors need none.
    private func requires(_ status: Int) -> Bool { isRequired && (200..<300).contains(status) }

    /// Returns the response, which is verified, or is verified as it is read.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - request: Its request.
    /// - Returns: The response.
    /// - Throws: ``ContentDigestError``.
    func verified(_ response: TransportResponse, to request: TransportRequest) throws -> TransportResponse {
        let status = response.head.status.code
        // These have no content; what a digest in them is of is not here.
        guard request.head.method != .head, status >= 200, status != 204, status != 304 else { return response }
        // The part of a rejected response's body that an error keeps.
        guard !response.isBodyTruncated, response.bodyFailure == nil else { return response }
        let isPartial = status == 206
        let expected = try Self.expectation(response.head.headerFields, isPartial: isPartial)
        if let bytes = response.body.collectedBytes {
            let expected = try expected ?? Self.expectation(response.trailers, isPartial: isPartial)
            try Self.check(expected, isRequired: requires(status)) { ContentDigest(of: bytes, by: $0) }
            return response
        }
        // Trailers are announced, so that only bodies with a digest are hashed.
        guard expected != nil || requires(status) || Self.announcesTrailer(response.head.headerFields) else {
            return response
        }
        var streamed = response
        streamed.body = ResponseBody(
            VerifiedChunks(
                body: response.body, expected: expected, ending: response.ending, isPartial: isPartial,
                isRequired: requires(status)))
        return streamed
    }

    /// Compares digests.
    ///
    /// - Parameters:
    ///   - expected: The digest that the message has; `nil` for none.
    ///   - isRequired: True if there must be one.
    ///   - actual: Returns the digest of the content.
    /// - Throws: ``ContentDigestError``.
    static func check(
        _ expected: Expectation?, isRequired: Bool, actual: (ContentDigest.Algorithm) -> ContentDigest
    ) throws(ContentDigestError) {
        guard let expected else {
            guard !isRequired else { throw ContentDigestError(.missing, field: .content) }
            return
        }
        let actual = actual(expected.digest.algorithm)
        guard actual == expected.digest else {
            throw ContentDigestError(.mismatch, field: expected.field, expected: expected.digest, actual: actual)
        }
    }

    /// Returns the digest to verify: of the content before the representation, by the strongest algorithm.
    static func expectation(
        _ fields: HTTPFields, isPartial: Bool
    ) throws(ContentDigestError) -> Expectation? {
        // Both are read, so that a malformed one is found.
        let content = try ContentDigest.parsed(.content, in: fields)
        let representation = try ContentDigest.parsed(.representation, in: fields)
        if let digest = strongest(content) { return Expectation(field: .content, digest: digest) }
        // A part does not have the digest of the whole.
        guard !isPartial, let digest = strongest(representation) else { return nil }
        return Expectation(field: .representation, digest: digest)
    }

    private static func strongest(_ digests: [ContentDigest]) -> ContentDigest? {
        digests.max { $0.bytes.count < $1.bytes.count }
    }

    private static func announcesTrailer(_ fields: HTTPFields) -> Bool {
        let names = fields[values: .trailer].joined(separator: ",").lowercased().split { ", \t".contains($0) }
        return ContentDigest.Field.allCases.contains { names.contains(Substring($0.rawValue.lowercased())) }
    }
}

/// The chunks of a response, whose end is an error unless they have the digest of the message.
private struct VerifiedChunks: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = any Error

    let body: ResponseBody
    let expected: DigestVerification.Expectation?
    let ending: ResponseCompletion?
    let isPartial: Bool
    let isRequired: Bool

    func makeAsyncIterator() -> Iterator {
        let algorithms = expected.map { [$0.digest.algorithm] } ?? ContentDigest.Algorithm.allCases
        return Iterator(
            chunks: self, base: body.makeAsyncIterator(), hashers: algorithms.map { ($0, ContentHasher($0)) })
    }

    struct Iterator: AsyncIteratorProtocol {
        let chunks: VerifiedChunks
        var base: ResponseBody.Iterator
        var hashers: [(algorithm: ContentDigest.Algorithm, hasher: ContentHasher)]
        var isEnded = false

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
            guard !isEnded else { return nil }
            if let chunk = try await base.next(isolation: actor) {
                for index in hashers.indices { hashers[index].hasher.update(chunk) }
                return chunk
            }
            isEnded = true
            let trailers = chunks.ending?.fields ?? HTTPFields()
            let expected =
                try chunks.expected ?? DigestVerification.expectation(trailers, isPartial: chunks.isPartial)
            let hashers = hashers
            try DigestVerification.check(expected, isRequired: chunks.isRequired) { algorithm in
                hashers.first { $0.algorithm == algorithm }?.hasher.digest ?? ContentDigest(of: Data(), by: algorithm)
            }
            return nil
        }
    }
}
