// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

extension TransportResponse {
    /// Drains the rest of a body that is not needed, if it is short, so that its connection can be reused.
    ///
    /// - Parameter time: The clock that limits draining to a moment: exchange timeouts are far longer, and the call
    ///   waits.
    package func finish(_ time: TimeSource) async {
        guard body.collectedBytes == nil else { return }
        if let length = head.headerFields[.contentLength].flatMap({ Int($0) }), length > ResponseBody.drainLimit.bytes {
            return
        }
        let body = body
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await body.finish() }
            group.addTask { try? await time.sleep(for: ResponseBody.drainLimit.time) }
            await group.next()
            group.cancelAll()
        }
    }
}

extension ResponseBody {
    /// The limits for draining a body that is not needed.
    package static let drainLimit = (bytes: 16 * 1024, chunks: 8, time: Duration.milliseconds(50))

    /// Drains a body that is not needed; closes a long or slow one.
    fileprivate func finish() async {
        var (bytes, chunks) = (0, 0)
        do {
            for try await chunk in self {
                bytes += chunk.count
                chunks += 1
                if bytes > Self.drainLimit.bytes || chunks >= Self.drainLimit.chunks { return }
            }
        } catch {
            // The body failed, so it has ended too.
        }
    }
}
