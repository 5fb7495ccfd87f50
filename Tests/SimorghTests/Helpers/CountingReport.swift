// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh

/// The requests that reached the counting server (Tests/Peers/counting.py) under one key, at either of its origins.
struct CountingReport: Decodable, Sendable {
    /// One request as received.
    struct Request: Decodable, Sendable {
        /// The number of earlier requests with the same key.
        var index: Int
        /// `main` or `other`.
        var server: String
        var method: String
        var path: String
        var query: String
        var headers: [[String]]
        var bodyLength: Int
        var bodySHA256: String
        /// True if the whole body arrived.
        var isComplete: Bool
        /// The status of the response; 0 if the server closed the connection instead.
        var status: Int
        var connection: Int

        /// Returns the values of a header field; the name is case-insensitive.
        func values(_ name: String) -> [String] {
            headers.filter { $0[0].lowercased() == name.lowercased() }.map { $0[1] }
        }
    }

    var count: Int
    var requests: [Request]

    /// Returns a key that no other test uses.
    static func newKey() -> String { UUID().uuidString.lowercased() }

    /// Fetches the report from the server.
    static func load(_ key: String) async throws -> CountingReport {
        let client = APIClient(baseURL: try Witness.counting.url)
        return try await client.get("report", query: ["key": key])
    }
}
