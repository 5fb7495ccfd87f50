// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

extension Inspector {
    /// The limits and the redaction of an inspector.
    public struct Configuration: Sendable, Hashable {
        /// The largest number of calls to keep; older ones are dropped.
        ///
        /// Default: 1000. Larger values than 100,000 are the same as 100,000.
        public var maximumCalls = 1000
        /// The largest part of each request body and each response body to keep, in bytes.
        ///
        /// Default: 256 KiB. Larger values than 1 GiB are the same as 1 GiB, and negative ones are the same as 0.
        public var maximumBodyBytes = 256 * 1024
        /// The largest size of everything that is kept, in bytes; if it is exceeded, the oldest calls are dropped.
        ///
        /// Default: 64 MiB.
        public var maximumBytes = 64 * 1024 * 1024
        /// The largest number of WebSocket messages or server-sent events to keep for each call, the last ones.
        ///
        /// Default: 1000, each with at most 16 KiB of its text. Larger values than 100,000 are the same as 100,000.
        public var maximumMessages = 1000
        /// The redaction rules of everything that the page shows, copies and exports.
        ///
        /// Default: credentials and similar secrets are redacted.
        public var redaction = RedactionRules.standard
        /// Creates the default configuration.
        public init() {}
    }
}
