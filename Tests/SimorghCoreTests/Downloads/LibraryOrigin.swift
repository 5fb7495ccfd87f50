// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import Synchronization
import TestSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A server of as many files as there are numbers, which breaks connections off and is busy by chance.
final class LibraryOrigin: Transport, Sendable {
    private struct Busy: AsyncSequence, Sendable {
        typealias Element = Data
        typealias Failure = any Error

        let pieces: [Data]
        let breaks: Bool

        func makeAsyncIterator() -> Iterator { Iterator(pieces: pieces[...], breaks: breaks) }

        struct Iterator: AsyncIteratorProtocol {
            var pieces: ArraySlice<Data>
            let breaks: Bool

            mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
                try Task.checkCancellation()
                if let piece = pieces.popFirst() { return piece }
                guard breaks else { return nil }
                throw TransportError(.networkConnectionLost, phase: .body, message: "the origin broke it off")
            }
        }
    }

    private let random: Mutex<SeededNumbers>

    init(seed: UInt64) { random = Mutex(SeededNumbers(seed)) }

    /// What file a number has.
    static func file(_ number: Int) -> [UInt8] {
        DownloadPlace.bytes(number.isMultiple(of: 97) ? 0 : number * 7919 % 30_000, seed: UInt64(number) + 1)
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let number = request.head.path.flatMap { Int($0.dropFirst()) } ?? 0
        let whole = Self.file(number)
        let chance = random.withLock { Int.random(in: 0..<100, using: &$0) }
        if chance < 5 { return TransportResponse(head: HTTPResponse(status: .serviceUnavailable)) }
        if chance < 8 {
            throw TransportError(.cannotConnectToHost, phase: .connect, message: "the origin is away")
        }
        var fields: HTTPFields = [.eTag: "\"\(number)\"", .acceptRanges: "bytes"]
        var start = 0
        if let range = request.head.headerFields[.range], let first = range.dropFirst(6).split(separator: "-").first {
            start = Int(first) ?? 0
            fields[.contentRange] = "bytes \(start)-\(whole.count - 1)/\(whole.count)"
        }
        fields[.contentLength] = "\(whole.count - start)"
        let breaks = chance < 20 && whole.count - start > 1
        let body = breaks ? whole[start..<start + (whole.count - start) / 2] : whole[start...]
        let head = HTTPResponse(status: start > 0 ? .partialContent : .ok, headerFields: fields)
        return TransportResponse(
            head: head, body: ResponseBody(Busy(pieces: body.isEmpty ? [] : [Data(body)], breaks: breaks)))
    }
}
