// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh

/// What reached the counting witness (Tests/Peers/counting.py) under one key, at either of its origins.
struct CountingReport: Decodable, Sendable {
    /// One request as it came.
    struct Request: Decodable, Sendable {
        /// How many came before it under its key.
        var index: Int
        /// `main` or `other`.
        var server: String
        var method: String
        var path: String
        var query: String
        var headers: [[String]]
        var bodyLength: Int
        var bodySHA256: String
        /// Whether the whole body came.
        var isComplete: Bool
        /// The status it was answered with; 0 where the connection was closed instead.
        var status: Int
        var connection: Int

        /// The values of a header field, whatever the case of its name.
        func values(_ name: String) -> [String] {
            headers.filter { $0[0].lowercased() == name.lowercased() }.map { $0[1] }
        }
    }

    var count: Int
    var requests: [Request]

    /// A key that no other test has.
    static func newKey() -> String { UUID().uuidString.lowercased() }

    /// Asks the witness.
    static func load(_ key: String) async throws -> CountingReport {
        let client = APIClient(baseURL: try Witness.counting.url)
        return try await client.get("report", query: ["key": key])
    }
}
