// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

extension Cassette {
    /// The mode of a cassette.
    public enum Mode: String, Sendable, Hashable, CaseIterable {
        /// Responds from the file, and fails for requests that are not in it.
        case replay
        /// Sends requests to the real server, and records its responses without secrets.
        case record
        /// Sends requests to the real server, and fails if the shape of a response differs from the file.
        case check
    }

    /// The rules of matching requests with recorded ones, and of recording.
    public struct Rules: Sendable, Hashable {
        /// The header fields that have to match; none by default.
        public var headers: Set<String> = []
        /// The query items that may differ, such as a time; none by default.
        public var ignoredQueryItems: Set<String> = []
        /// True if schemes and hosts are compared; true by default.
        public var comparesOrigin = true
        /// True if bodies are compared; true by default.
        ///
        /// JSON is compared by content, not by layout, and a multipart body without its boundary. The strings in JSON
        /// and the contents of the parts have to be equal byte by byte.
        public var comparesBodies = true
        /// True if the requests have to arrive in the order in which those of the file began; false by default.
        public var isOrdered = false
        /// True if a response may be used more than once; false by default.
        public var repeatsAnswers = false
        /// Additional names of secrets: of header fields, query items, form fields and JSON members, case-insensitive.
        public var secretNames: Set<String> = []
        /// The largest response body that is recorded, in bytes; 16 MiB by default.
        public var maximumBodyBytes = 16 * 1024 * 1024

        /// Creates the default rules: method, URL and body have to match, in any order, and each response is used once.
        public init() {}
    }
}

extension Cassette.Mode {
    /// The mode in the environment variable `SIMORGH_CASSETTES`; `replay` if it is not set or not known.
    public static var ofEnvironment: Cassette.Mode {
        guard let value = getenv("SIMORGH_CASSETTES") else { return .replay }
        return Cassette.Mode(rawValue: String(cString: value)) ?? .replay
    }
}
