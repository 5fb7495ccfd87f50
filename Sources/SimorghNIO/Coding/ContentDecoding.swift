// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOFoundationEssentialsCompat
import SimorghCore
import SimorghSupport

/// What has to be undone to a body, and how far it may grow by that.
struct ContentDecoding: Sendable {
    /// More layers than this are no use to anybody honest.
    static let mostLayers = 2

    /// Outermost first.
    let formats: [KnownCoding]
    let ratio: Int
    let floor: Int
    /// True if only the end of the connection ends the body, so that nothing but the coding tells a body that was cut off.
    let endsWithConnection: Bool

    /// What a response needs; its head then tells of the body as it will be.
    ///
    /// - Parameters:
    ///   - response: The head.
    ///   - codings: Its codings, the outermost last.
    ///   - plan: The request.
    ///   - endsWithConnection: True if only the end of the connection ends the body.
    /// - Returns: `nil` if the body is handed over as it came: in no coding, in one that was not asked for and is not
    ///   known, or in one that the caller asked for itself. Around a coding that is not known the others are undone, and the
    ///   head keeps that one.
    /// - Throws: `TransportError` for too many layers, and for a coding that is not known around one that is: the inner
    ///   one cannot be undone.
    static func needed(
        for response: inout HTTPResponse, _ codings: [String], by plan: RequestPlan, endsWithConnection: Bool
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
        guard formats.count <= mostLayers else {
            throw TransportError(
                .cannotDecodeContentData, phase: .body,
                message: "the body is compressed \(formats.count) times over, \(mostLayers) are accepted",
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

    /// The beginning of a word that a server has chosen, for an error.
    private static func shown(_ coding: String) -> String {
        String(coding.unicodeScalars.prefix(40).map { (0x21...0x7E).contains($0.value) ? Character($0) : "?" })
    }

    /// Undoes it to a whole body.
    func decode(_ body: Data, upTo limit: Int) throws(TransportError) -> Data {
        guard !body.isEmpty else { return body }
        let limit = CollectedBody.bound(limit)
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

    /// The layers at work on one body.
    struct Decoder {
        private var layers: [any Decompressor] = []
        private let decoding: ContentDecoding
        private var fault: Corrupt?
        private var taken = 0
        private var given = 0

        init(_ decoding: ContentDecoding) {
            self.decoding = decoding
            do throws(Corrupt) {
                for format in decoding.formats { layers.append(try format.decompressor()) }
            } catch {
                fault = error
            }
        }

        mutating func feed(_ bytes: ByteBuffer) {
            taken += bytes.readableBytes
            layers.first?.feed(bytes)
        }

        /// The next piece of the body; `nil` when more input is needed.
        mutating func next() throws(TransportError) -> ByteBuffer? {
            if let fault { throw .notDecodable(fault, mayBeCutOff: false) }
            do {
                guard let piece = try next(from: layers.count - 1) else { return nil }
                given += piece.readableBytes
                try check(given)
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

        /// Pulls through the layers, so that only one piece of each is in memory.
        private mutating func next(from layer: Int) throws -> ByteBuffer? {
            while true {
                if let piece = try layers[layer].next() { return piece }
                guard layer > 0, let piece = try next(from: layer - 1) else { return nil }
                // A bomb may be hidden in the inner layer's input.
                inner += piece.readableBytes
                try check(inner)
                layers[layer].feed(piece)
            }
        }

        private var inner = 0

        private func check(_ count: Int) throws(TransportError) {
            guard count > decoding.floor, count / decoding.ratio > taken else { return }
            throw TransportError(
                .cannotDecodeContentData, phase: .body,
                message: "the body grows more than \(decoding.ratio) times when it is decompressed",
                requestMayHaveBeenSent: true)
        }
    }
}

/// The chunks of a body with its coding undone, as they are asked for: nothing is decompressed ahead.
struct DecodedChunks: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = any Error

    let base: BodyChunks
    let decoding: ContentDecoding

    func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), decoder: ContentDecoding.Decoder(decoding))
    }

    struct Iterator: AsyncIteratorProtocol, LingeringChunks {
        var base: BodyChunks.Iterator
        var decoder: ContentDecoding.Decoder
        var isEnded = false

        func linger() { base.linger() }

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
            guard !isEnded else { return nil }
            do {
                while true {
                    // One chunk may hold a thousand pieces.
                    guard !Task.isCancelled else { throw TransportError.cancelled(phase: .body) }
                    if let piece = try decoder.next() { return Data(body: piece) }
                    guard let chunk = try await base.next(isolation: actor) else { break }
                    decoder.feed(ByteBuffer(data: chunk))
                }
                isEnded = true
                try decoder.finish()
                return nil
            } catch {
                // What is left is of no use: the exchange ends here.
                isEnded = true
                base.reader = nil
                throw error
            }
        }
    }
}
