// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// What became of several requests: which were accepted, and why the others were not.
public struct DownloadBatch: Sendable, Hashable {
    /// One that was left out.
    public struct Rejection: Sendable, Hashable {
        /// The request.
        public let request: DownloadRequest
        /// Why it was left out.
        public let error: DownloadError
    }

    /// The downloads that were put in the queue, in the order of the requests.
    public internal(set) var ids: [UUID] = []
    /// The requests that were left out, in their order.
    public internal(set) var rejected: [Rejection] = []
}
