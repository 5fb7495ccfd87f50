// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

extension TransportResponse {
    /// Reads what little may be left of a body that nobody wants, for a moment at most.
    ///
    /// - Parameter time: Measures the moment: the limits of the exchange are far longer, and the call waits.
    package func finish(_ time: TimeSource) async {
        guard body.collectedBytes == nil else { return }
        if let length = head.headerFields[.contentLength].flatMap({ Int($0) }), length > ResponseBody.unwanted.bytes {
            return
        }
        let body = body
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await body.finish() }
            group.addTask { try? await time.sleep(for: ResponseBody.unwanted.time) }
            await group.next()
            group.cancelAll()
        }
    }
}

extension ResponseBody {
    /// How much of a body is read that nobody wants, and for how long, so that its connection can be used again.
    package static let unwanted = (bytes: 16 * 1024, chunks: 8, time: Duration.milliseconds(50))

    /// Reads what little may be left of a body that nobody wants; a long or slow one is let go.
    fileprivate func finish() async {
        var (bytes, chunks) = (0, 0)
        do {
            for try await chunk in self {
                bytes += chunk.count
                chunks += 1
                if bytes > Self.unwanted.bytes || chunks >= Self.unwanted.chunks { return }
            }
        } catch {
            // A body that breaks off is a body that is over.
        }
    }
}
