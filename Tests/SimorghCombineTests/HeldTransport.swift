// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghTesting

/// A transport that begins each exchange and holds it until it is cancelled or the gate opens; it tells of both.
final class HeldTransport: Transport {
    let gate = Gate()
    let started: AsyncStream<Void>
    let cancelled: AsyncStream<Void>
    private let start: AsyncStream<Void>.Continuation
    private let cancel: AsyncStream<Void>.Continuation

    init() {
        (started, start) = AsyncStream.makeStream()
        (cancelled, cancel) = AsyncStream.makeStream()
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        start.yield()
        do {
            try await gate.wait()
            return TransportResponse(head: HTTPResponse(status: .noContent))
        } catch {
            cancel.yield()
            throw TransportError(.cancelled, phase: .head, message: "held, and let go")
        }
    }
}

extension AsyncStream where Element == Void {
    /// Waits for the next event.
    func next() async {
        var iterator = makeAsyncIterator()
        _ = await iterator.next()
    }
}
