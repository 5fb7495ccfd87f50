// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension Cassette {
    /// What a cassette does.
    public enum Mode: String, Sendable, Hashable, CaseIterable {
        /// Answers from the file, and fails for what is not in it.
        case replay
        /// Asks the real server, and writes what it said, secrets removed.
        case record
        /// Asks the real server, and fails where what it says is of another shape than what is in the file.
        case check
    }

    /// What makes a request the one that was recorded, and what may be kept.
    public struct Rules: Sendable, Hashable {
        /// Header fields that have to be the same; none by default.
        public var headers: Set<String> = []
        /// Query items that may differ, such as a time; none by default.
        public var ignoredQueryItems: Set<String> = []
        /// Whether hosts are compared, and schemes; on by default.
        public var comparesOrigin = true
        /// Whether bodies are compared; on by default.
        ///
        /// JSON is compared by what it says and not by how it is laid out; a multipart body without its boundary. The texts
        /// in it, and the contents of its parts, have to be the same bytes.
        public var comparesBodies = true
        /// True if the requests have to come in the order in which those of the file began; false by default.
        public var isOrdered = false
        /// Whether an answer may be given again when it was given once; off by default.
        public var repeatsAnswers = false
        /// More names of secrets: of header fields, query items, fields of forms and members in JSON, in any case.
        public var secretNames: Set<String> = []
        /// The largest body of a response that is recorded, in bytes; 16 MiB by default.
        public var maximumBodyBytes = 16 * 1024 * 1024

        /// Creates the default rules: method, URL and body have to be the same, in any order, each answer once.
        public init() {}
    }
}
