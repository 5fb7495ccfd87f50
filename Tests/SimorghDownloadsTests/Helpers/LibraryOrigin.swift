// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import Synchronization
import TestSupport

/// An origin with one file for each number, which randomly drops connections and answers 503.
enum LibraryOrigin {
    /// Returns the file of a number.
    static func file(_ number: Int) -> [UInt8] {
        DownloadTestFolder.bytes(number.isMultiple(of: 97) ? 0 : number * 7919 % 30_000, seed: UInt64(number) + 1)
    }

    static func transport(seed: UInt64) -> StubServer {
        let random = Mutex(SeededNumbers(seed))
        return StubServer { request in
            answer(to: request.head, random.withLock { Int.random(in: 0..<100, using: &$0) })
        }
    }

    private static func answer(to request: HTTPRequest, _ chance: Int) -> StubResponse {
        let number = request.path.flatMap { Int($0.dropFirst()) } ?? 0
        let whole = file(number)
        if chance < 5 { return .status(.serviceUnavailable) }
        if chance < 8 {
            return .failure(TransportError(.cannotConnectToHost, phase: .connect, message: "the origin is down"))
        }
        var fields: HTTPFields = [.eTag: "\"\(number)\"", .acceptRanges: "bytes"]
        var start = 0
        if let range = request.headerFields[.range], let first = range.dropFirst(6).split(separator: "-").first {
            start = Int(first) ?? 0
            fields[.contentRange] = "bytes \(start)-\(whole.count - 1)/\(whole.count)"
        }
        fields[.contentLength] = "\(whole.count - start)"
        let breaks = chance < 20 && whole.count - start > 1
        let body = breaks ? whole[start..<start + (whole.count - start) / 2] : whole[start...]
        var steps: [StubResponse.BodyStep] = body.isEmpty ? [] : [.bytes(Data(body))]
        if breaks {
            steps.append(
                .fail(TransportError(.networkConnectionLost, phase: .body, message: "the origin dropped it")))
        }
        var response = StubResponse.chunks(steps, status: start > 0 ? .partialContent : .ok)
        response.headerFields = fields
        return response
    }
}
