// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// The result of enqueuing several requests: the accepted downloads and the rejected requests.
public struct DownloadBatch: Sendable, Hashable {
    /// A request that was rejected.
    public struct Rejection: Sendable, Hashable {
        /// The request.
        public let request: DownloadRequest
        /// The reason for the rejection.
        public let error: DownloadError
    }

    /// The identifiers of the accepted downloads, in the order of the requests.
    public internal(set) var ids: [UUID] = []
    /// The rejected requests, in the order of the requests.
    public internal(set) var rejected: [Rejection] = []
}
