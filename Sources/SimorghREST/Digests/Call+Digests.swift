// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore
import SimorghSupport
import Synchronization

extension Call {
    /// Returns the same call, which sends a digest of its body (RFC 9530), so that the server detects damage.
    ///
    /// ```swift
    /// let call = client.call(.put, "files/a", body: try .file(path)).sendsDigest()
    /// ```
    /// A body in memory is hashed before it is sent. A file, a multipart form and a replayable stream are read twice: to
    /// hash them, and to send them. A body that can be read only once has its digest in the trailer, with `inTrailer`;
    /// servers may drop trailers.
    ///
    /// A request without a body has no digest. The call throws ``/SimorghCore/NetworkError/invalidRequest(_:_:)`` for a body
    /// that is compressed as it is sent, since the digest is of the compressed bytes, for a body that can be read only once
    /// without `inTrailer`, and for the digest of a representation of which the request has only a range.
    ///
    /// - Parameters:
    ///   - algorithm: The hash algorithm.
    ///   - fields: The fields. Default: `Content-Digest`.
    ///   - inTrailer: True to hash the body while it is sent, and to send the fields after it.
    /// - Returns: The call.
    public func sendsDigest(
        _ algorithm: ContentDigest.Algorithm = .sha256, fields: Set<ContentDigest.Field> = [.content],
        inTrailer: Bool = false
    ) -> Call {
        with { configuration in
            let digest = RequestDigest(algorithm: algorithm, fields: fields)
            configuration.interceptors.append(
                Interceptor { request, next in
                    try await next(inTrailer ? digest.addTrailer(to: request) : digest.addHeader(to: request))
                })
        }
    }

    /// Returns the same call, which verifies the digest of its response (RFC 9530).
    ///
    /// The digest is `Content-Digest`, or `Repr-Digest` unless the response is a part (206), in the header or the trailer,
    /// by SHA-512 or SHA-256. Other algorithms are ignored. If the digest does not match, or its field is malformed, the
    /// call throws ``ContentDigestError`` as the cause. A stream throws it at the end of the body: do not use the content
    /// before.
    ///
    /// A digest is of the bytes as they are transferred, so the call asks for no compression, unless it has an
    /// `Accept-Encoding` of its own: then the body is verified, and delivered, compressed. `URLSession` decompresses
    /// nevertheless: if a server compresses without having been asked to, the verification over it fails.
    ///
    /// A response from a cache is not verified again. The part of a rejected response that an error keeps is verified only
    /// if it is complete.
    ///
    /// - Parameters:
    ///   - isRequired: True to throw for a response without a digest, and to bypass caches. Default: false.
    ///   - asksServer: True to ask for digests with `Want-Content-Digest` and `Want-Repr-Digest`. Default: true.
    /// - Returns: The call.
    public func verifiesDigest(isRequired: Bool = false, asksServer: Bool = true) -> Call {
        with { configuration in
            if isRequired { configuration.caching.strategy = .reloadIgnoringLocalCacheData }
            configuration.interceptors.append(.withoutCompression)
            configuration.networkInterceptors.insert(
                .verifyingDigest(DigestVerification(isRequired: isRequired), asksServer: asksServer), at: 0)
        }
    }
}

extension Interceptor {
    /// A step that asks for no content coding; above the cache, which stores by the fields of the request.
    fileprivate static let withoutCompression = Interceptor { request, next in
        guard !request.head.headerFields.contains(.acceptEncoding) else { return try await next(request) }
        var request = request
        request.head.headerFields[.acceptEncoding] = "identity"
        return try await next(request)
    }

    /// Returns a step around each attempt that verifies its response, before a cache stores it.
    fileprivate static func verifyingDigest(_ verification: DigestVerification, asksServer: Bool) -> Interceptor {
        Interceptor { request, next in
            var request = request
            if asksServer {
                for field in ContentDigest.Field.allCases {
                    guard let name = HTTPField.Name("Want-" + field.rawValue),
                        !request.head.headerFields.contains(name)
                    else { continue }
                    request.head.headerFields[name] = ContentDigest.wanted
                }
            }
            return try verification.verified(try await next(request), to: request)
        }
    }
}

/// Adds the digest of its body to a request.
private struct RequestDigest: Sendable {
    let algorithm: ContentDigest.Algorithm
    let fields: Set<ContentDigest.Field>

    private var names: [String] { fields.map(\.rawValue).sorted() }

    func addHeader(to request: TransportRequest) async throws -> TransportRequest {
        guard !request.body.isEmpty else { return request }
        try check(request)
        guard request.body.replayability != .once else {
            throw InvalidRequestError(
                .encodingFailed,
                message: "the body can be read only once, so its digest can only be in the trailer: use inTrailer")
        }
        var hasher = ContentHasher(algorithm)
        let call = request.options.call
        var chunks = request.body.makeChunks()
        while let chunk = try await chunks.next(isolation: nil) {
            hasher.update(chunk)
            if let deadline = call?.deadline, deadline.remaining == .zero {
                throw TransportError.timedOut(.total, after: deadline.limit, requestMayHaveBeenSent: false)
            }
        }
        var request = request
        for name in names {
            guard let name = HTTPField.Name(name) else { continue }
            request.head.headerFields[name] = hasher.digest.description
        }
        return request
    }

    func addTrailer(to request: TransportRequest) throws -> TransportRequest {
        guard !request.body.isEmpty else { return request }
        try check(request)
        guard request.body.trailers == nil else {
            throw InvalidRequestError(.invalidHeader, message: "the body has trailers of its own: add the digest there")
        }
        let box = DigestBox()
        let (body, algorithm, names) = (request.body, algorithm, names)
        let hashed = RequestBody(
            content: .chunks { HashedChunks(base: body.makeChunks(), hasher: ContentHasher(algorithm), box: box) },
            contentType: body.contentType, length: body.length, replayability: body.replayability)
        var request = request
        request.body = try hashed.withTrailers(names) {
            guard let digest = box.digest else { return [:] }
            return Dictionary(uniqueKeysWithValues: names.map { ($0, digest.description) })
        }
        return request
    }

    private func check(_ request: TransportRequest) throws(InvalidRequestError) {
        guard request.body.coding == nil else {
            throw InvalidRequestError(
                .encodingFailed,
                message: "the body is compressed as it is sent, so its digest is not known: send it without compression"
            )
        }
        guard !fields.contains(.representation) || !request.head.headerFields.contains(.contentRange) else {
            throw InvalidRequestError(
                .encodingFailed, message: "the request has a range, so the digest of the representation is not known")
        }
    }
}

/// The digest of the body that was read last.
private final class DigestBox: Sendable {
    private let value = Mutex<ContentDigest?>(nil)

    var digest: ContentDigest? {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}

/// The chunks of a body that is hashed while it is sent.
private struct HashedChunks: AsyncIteratorProtocol {
    var base: any AsyncIteratorProtocol<Data, any Error>
    var hasher: ContentHasher
    let box: DigestBox

    mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
        guard let chunk = try await base.next(isolation: actor) else {
            box.digest = hasher.digest
            return nil
        }
        hasher.update(chunk)
        return chunk
    }
}

/// The chunks of a body in memory: one.
private struct SingleChunk: AsyncIteratorProtocol {
    var rest: Data?

    mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
        rest.take()
    }
}

extension RequestBody {
    /// Returns the bytes of an encoded body, from the first one.
    fileprivate func makeChunks() -> any AsyncIteratorProtocol<Data, any Error> {
        if case .chunks(let make) = content { return make() }
        let bytes = bytes ?? Data()
        return SingleChunk(rest: bytes.isEmpty ? nil : bytes)
    }
}
