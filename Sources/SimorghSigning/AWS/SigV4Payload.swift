// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport

/// The part of a signature that covers a body.
struct SigV4PayloadPlan {
    /// The hash of the body in hexadecimal digits, or the text in place of it.
    let hash: String
    /// The number of bytes of a body that is signed in chunks; `nil` for other bodies.
    var chunkedLength: Int64?

    static let unsigned = SigV4PayloadPlan(hash: "UNSIGNED-PAYLOAD")

    var isChunked: Bool { chunkedLength != nil }

    /// True if a server needs the text in a field, because it cannot compute it from the body.
    var isText: Bool { hash == Self.unsigned.hash || isChunked }

    /// Adds the fields that describe a body in chunks.
    func apply(to fields: inout HTTPFields) {
        guard let chunkedLength else { return }
        let codings = fields[.contentEncoding].map { ["aws-chunked", $0] } ?? ["aws-chunked"]
        fields[.contentEncoding] = codings.joined(separator: ",")
        fields[SigV4Fields.decodedLength] = "\(chunkedLength)"
        fields[.contentLength] = nil
    }
}

extension SigV4Signer {
    /// Decides how the signature covers a body, and hashes the body if necessary.
    func payloadPlan(for request: TransportRequest) async throws -> SigV4PayloadPlan {
        let isTrustworthy = (try? CookieOrigin(request))?.isTrustworthy ?? false
        // The program has hashed the body itself, or it has chosen a text in place of the hash.
        if let own = request.head.headerFields[SigV4Fields.contentHash] {
            guard own.utf8.count <= 128, own.utf8.allSatisfy(SigV4Fields.scopeBytes.contains) else {
                throw SigningError(.missingComponent, "the field X-Amz-Content-SHA256 is not a hash")
            }
            guard !own.hasPrefix("STREAMING-AWS4-") else {
                throw SigningError(
                    .bodyNotSignable, "the signer itself signs a body in chunks: set its payload instead of the field")
            }
            // Also STREAMING-UNSIGNED-PAYLOAD-TRAILER.
            return own.contains("UNSIGNED") ? try unsigned(isTrustworthy, text: own) : SigV4PayloadPlan(hash: own)
        }
        let body = request.body
        let isInMemory = body.bytes != nil && body.coding == nil
        switch payload {
        case .unsigned: return try unsigned(isTrustworthy)
        case .chunked:
            guard usesS3Rules else { throw SigningError(.bodyNotSignable, "only S3 accepts a body in signed chunks") }
            return body.isEmpty ? SigV4PayloadPlan(hash: SigV4.hash(Data())) : try chunked(body)
        case .automatic where !isInMemory && usesS3Rules:
            return isTrustworthy ? .unsigned : try chunked(body)
        case .automatic, .hashed: return SigV4PayloadPlan(hash: Hex.encoded(try await BodyHash.sha256(of: request)))
        }
    }

    private func unsigned(
        _ isTrustworthy: Bool, text: String = SigV4PayloadPlan.unsigned.hash
    ) throws -> SigV4PayloadPlan {
        guard isTrustworthy else {
            throw SigningError(
                .insecure, "a body without a signature needs https, since any machine on the way could replace it")
        }
        return SigV4PayloadPlan(hash: text)
    }

    private func chunked(_ body: RequestBody) throws -> SigV4PayloadPlan {
        guard let length = body.length, length >= 0, length <= SigV4Chunks.maximumLength, body.coding == nil else {
            throw SigningError(
                .bodyNotSignable,
                "a body that is signed in chunks needs a known length, without compression: set it, or use https")
        }
        guard body.trailers == nil else {
            throw SigningError(.bodyNotSignable, "a body that is signed in chunks cannot have trailers")
        }
        return SigV4PayloadPlan(hash: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD", chunkedLength: length)
    }
}
