// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
extension SessionDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        (userDelegate as? any URLSessionTaskDelegate)?.urlSession?(session, task: task, didFinishCollecting: metrics)
    }
}

/// The capabilities of sessions on this platform.
enum SessionCapabilities {
    /// True if a suspended task continues where it was.
    static let canPause = true
}
#endif
