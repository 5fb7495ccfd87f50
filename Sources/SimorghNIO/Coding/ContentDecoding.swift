// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOFoundationEssentialsCompat
import SimorghCore
import SimorghSupport

/// The content codings to decode in a body, and the limits of its expansion.
struct ContentDecoding: Sendable {
    /// The maximum number of codings of one body; more have no honest use.
    static let maximumLayers = 2

    /// The codings, the outermost first.
    let formats: [KnownCoding]
    let ratio: Int
    let floor: Int
    /// True if only the end of the connection ends the body, so that only the coding can reveal a body that was cut
    /// off.
    let endsWithConnection: Bool

    /// Returns the decoding that a response needs, and changes its head to describe the decoded body.
    ///
    /// - Parameters:
    ///   - response: The head.
    ///   - codings: Its content codings, the outermost last.
    ///   - plan: The request.
    ///   - endsWithConnection: True if only the end of the connection ends the body.
    /// - Returns: `nil` if the body is delivered as received: it has no coding, an unknown one that was not requested,
    ///   or one that the caller requested. If the innermost codings are unknown, the others are decoded, and the head
    ///   keeps the unknown ones.
    /// - Throws: `TransportError` if there are too many codings, or if an unknown coding is around a known one, which
    ///   then cannot be decoded.
    static func needed(
        for response: inout HTTPResponse, codings: [String], by plan: RequestPlan, endsWithConnection: Bool
    ) throws(TransportError) -> ContentDecoding? {
        guard plan.decompresses, let outermost = codings.last else { return nil }
        var formats: [KnownCoding] = []
        for coding in codings.reversed() {
            guard let known = KnownCoding(coding) else { break }
            formats.append(known)
        }
        guard !formats.isEmpty else {
            guard codings.contains(where: { KnownCoding($0) != nil }) else { return nil }
            throw TransportError(
                .cannotDecodeContentData, phase: .body,
                message: "the body is in the content coding \(shown(outermost)), which is not decoded here",
                requestMayHaveBeenSent: true)
        }
        guard formats.count <= maximumLayers else {
            throw TransportError(
                .cannotDecodeContentData, phase: .body,
                message: "the body has \(formats.count) compression layers; at most \(maximumLayers) are accepted",
                requestMayHaveBeenSent: true)
        }
        let left = codings.dropLast(formats.count)
        response.headerFields[.contentEncoding] = left.isEmpty ? nil : left.joined(separator: ", ")
        response.headerFields[.contentLength] = nil
        let limits = plan.request.options.limits
        return ContentDecoding(
            formats: formats, ratio: max(1, limits.decompressionRatio), floor: max(0, limits.decompressionFloor),
            endsWithConnection: endsWithConnection)
    }

    /// Returns the first 40 characters of a coding that the server has chosen, safe for an error message.
    private static func shown(_ coding: String) -> String {
        String(coding.unicodeScalars.prefix(40).map { (0x21...0x7E).contains($0.value) ? Character($0) : "?" })
    }

    /// Decodes a whole body.
    func decode(_ body: Data, upTo limit: Int) throws(TransportError) -> Data {
        guard !body.isEmpty else { return body }
        let limit = CollectedBody.effectiveLimit(limit)
        var decoder = Decoder(self)
        var whole = ByteBuffer()
        decoder.feed(ByteBuffer(data: body))
        while let piece = try decoder.next() {
            guard piece.readableBytes <= limit - whole.readableBytes else { throw .bodyTooLarge(limit) }
            whole.writeImmutableBuffer(piece)
        }
        try decoder.finish()
        return Data(body: whole)
    }

    /// The decoders of one body.
    struct Decoder {
        private var layers: [any Decompressor] = []
        private let decoding: ContentDecoding
        private var fault: InvalidContentCodingError?
        private var encodedBytes = 0
        private var decodedBytes = 0

        init(_ decoding: ContentDecoding) {
            self.decoding = decoding
            do throws(InvalidContentCodingError) {
                for format in decoding.formats { layers.append(try format.decompressor()) }
            } catch {
                fault = error
            }
        }

        mutating func feed(_ bytes: ByteBuffer) {
            encodedBytes += bytes.readableBytes
            layers.first?.feed(bytes)
        }

        /// Returns the next piece of the decoded body; `nil` if more input is needed.
        mutating func next() throws(TransportError) -> ByteBuffer? {
            if let fault { throw .notDecodable(fault, mayBeCutOff: false) }
            do {
                guard let piece = try next(from: layers.count - 1) else { return nil }
                decodedBytes += piece.readableBytes
                try check(decodedBytes)
                return piece
            } catch let error as TransportError {
                throw error
            } catch {
                throw .notDecodable(error, mayBeCutOff: false)
            }
        }

        func finish() throws(TransportError) {
            do {
                for layer in layers { try layer.finish() }
            } catch {
                throw .notDecodable(error, mayBeCutOff: decoding.endsWithConnection)
            }
        }

        /// Pulls input through the layers, so that only one piece of each is in memory.
        private mutating func next(from layer: Int) throws -> ByteBuffer? {
            while true {
                if let piece = try layers[layer].next() { return piece }
                guard layer > 0, let piece = try next(from: layer - 1) else { return nil }
                // The output of an inner layer may be a decompression bomb as well.
                innerBytes += piece.readableBytes
                try check(innerBytes)
                layers[layer].feed(piece)
            }
        }

        private var innerBytes = 0

        private func check(_ count: Int) throws(TransportError) {
            guard count > decoding.floor, count / decoding.ratio > encodedBytes else { return }
            throw TransportError(
                .cannotDecodeContentData, phase: .body,
                message: "the body expands more than \(decoding.ratio) times when it is decompressed",
                requestMayHaveBeenSent: true)
        }
    }
}

/// The decoded chunks of a body; decodes on demand, never ahead.
struct DecodedChunks: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = any Error

    let base: BodyChunks
    let decoding: ContentDecoding

    func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), decoder: ContentDecoding.Decoder(decoding))
    }

    struct Iterator: AsyncIteratorProtocol, DrainableChunks {
        var base: BodyChunks.Iterator
        var decoder: ContentDecoding.Decoder
        var isEnded = false

        func linger() { base.linger() }

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
            guard !isEnded else { return nil }
            do {
                while true {
                    // One chunk may contain a thousand pieces.
                    guard !Task.isCancelled else { throw TransportError.cancelled(phase: .body) }
                    if let piece = try decoder.next() { return Data(body: piece) }
                    guard let chunk = try await base.next(isolation: actor) else { break }
                    decoder.feed(ByteBuffer(data: chunk))
                }
                isEnded = true
                try decoder.finish()
                return nil
            } catch {
                // The rest is useless: releasing the reader ends the exchange.
                isEnded = true
                base.reader = nil
                throw error
            }
        }
    }
}
