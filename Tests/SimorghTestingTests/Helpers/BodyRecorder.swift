// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Records the bodies that it is asked to send, unchanged.
final class BodyRecorder: Transport {
    private let kept = Mutex<[RequestBody]>([])

    var bodies: [RequestBody] { kept.withLock { $0 } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        kept.withLock { $0.append(request.body) }
        return TransportResponse(head: HTTPResponse(status: .ok))
    }

    /// Returns bodies to compare after reading: one with all attributes that a body can have, and an empty one.
    static func samples() throws -> [RequestBody] {
        let full = RequestBody.bytes(Data("a,b".utf8), contentType: "text/csv").compressed(.gzip)
        return [try full.withTrailers(["X-Sum"]) { ["X-Sum": "1"] }, .empty]
    }

    /// Returns true if the received bodies equal ``samples()``.
    func hasSamples() -> Bool {
        let bodies = bodies
        guard bodies.count == 2 else { return false }
        let (full, none) = (bodies[0], bodies[1])
        return full.bytes == Data("a,b".utf8) && full.contentType == "text/csv" && full.coding == .gzip
            && full.trailers != nil && none.isEmpty
    }
}
